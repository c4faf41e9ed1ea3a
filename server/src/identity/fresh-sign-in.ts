// Whether a client asks that the person signs in anew, whatever sessions there are (OpenID Connect Core 1.0, 3.1.2.1).

/** By the parameters of its request. */
export function asksAnew(params: Readonly<Record<string, unknown>>): boolean {
  const { prompt, max_age: maxAge } = params;
  return (typeof prompt === 'string' && prompt.split(' ').includes('login')) || maxAge !== undefined;
}
