// Takes out of an outgoing request what its receiver knows people by: values of headers, and secrets that stand in an address.

export const maskedValue = '***';

/** Headers that say what a body is, not who sends it. */
const safeHeaders = /^(?:accept(?:-.+)?|cache-control|content-(?:encoding|language|type)|user-agent)$/i;
/** Parts of a path by which chat services know a sender: long, and of letters and digits mixed. */
const isKey = (part: string) => part.length >= 16 && /\d/.test(part) && /[A-Za-z]/.test(part);

/** A copy with the value of every header masked that may carry a credential. */
export function maskHeaders(headers: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value === '' || safeHeaders.test(name) ? value : maskedValue,
    ]),
  );
}

/** An address without its user, values of its query and keys in its path; what cannot be read is masked whole. */
export function maskUrl(text: string): string {
  if (text === '') return text;
  if (!URL.canParse(text)) return maskedValue;
  const url = new URL(text);
  const user = url.username || url.password ? `${maskedValue}@` : '';
  const path = url.pathname
    .split('/')
    .map((part) => (isKey(part) ? maskedValue : part))
    .join('/');
  const query = [...url.searchParams.keys()]
    .map((name) => `${encodeURIComponent(name)}=${maskedValue}`)
    .join('&');
  return `${url.protocol}//${user}${url.host}${path}${query && `?${query}`}${url.hash && `#${maskedValue}`}`;
}

/** Whether part of an address would be masked, or cannot be told. */
export function containsSecret(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password, search, hash, pathname } = new URL(text);
  return [username, password, search, hash].some((part) => part !== '') || pathname.split('/').some(isKey);
}

/** Whether a header of this name says what a body is, not who sends it. */
export function isSafeHeader(name: string): boolean {
  return safeHeaders.test(name);
}

/** A copy of a webhook's parts for those who may not change it. */
export function maskRequest<T>(request: T): T {
  if (typeof request !== 'object' || request === null) return request;
  const { url, headers } = request as { url?: unknown; headers?: unknown };
  return {
    ...request,
    ...(typeof url === 'string' ? { url: maskUrl(url) } : {}),
    ...(typeof headers === 'object' && headers !== null
      ? { headers: maskHeaders(headers as Record<string, unknown>) }
      : {}),
  };
}
