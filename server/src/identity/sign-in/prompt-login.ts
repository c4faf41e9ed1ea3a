// Whether a client asks that the person signs in anew, whatever sessions there are (OpenID Connect Core 1.0, 3.1.2.1).

/** Ways of signing in that need no second step beside them (RFC 8176). */
const strongMethods = new Set(['mfa', 'otp', 'hwk', 'swk', 'sc']);

/** True when one of these methods is a second step, or needs none. */
export function isMultiFactor(methods: readonly string[] | undefined): boolean {
  return methods?.some((method) => strongMethods.has(method)) ?? false;
}

/** By the parameters of its request. */
export function requestsPromptLogin(params: Readonly<Record<string, unknown>>): boolean {
  const { prompt, max_age: maxAge } = params;
  return (typeof prompt === 'string' && prompt.split(' ').includes('login')) || maxAge !== undefined;
}
