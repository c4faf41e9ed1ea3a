// Determines whether a client requests re-authentication regardless of sessions (OpenID Connect Core 1.0,
// 3.1.2.1).

/** Authentication methods that need no additional second step (RFC 8176). */
const strongMethods = new Set(['mfa', 'otp', 'hwk', 'swk', 'sc']);

/** True when one of the methods is a second factor or needs none. */
export function isMultiFactor(methods: readonly string[] | undefined): boolean {
  return methods?.some((method) => strongMethods.has(method)) ?? false;
}

/** Decides by the parameters of the authorization request. */
export function requestsPromptLogin(params: Readonly<Record<string, unknown>>): boolean {
  const { prompt, max_age: maxAge } = params;
  return (typeof prompt === 'string' && prompt.split(' ').includes('login')) || maxAge !== undefined;
}
