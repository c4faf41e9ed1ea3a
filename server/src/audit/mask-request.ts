// Masks credentials in outgoing requests: header values and secrets in URLs.

export const maskedValue = '***';

/** Headers that describe the content and carry no credentials. */
const safeHeaders = /^(?:accept(?:-.+)?|cache-control|content-(?:encoding|language|type)|user-agent)$/i;
/** Whether a path segment looks like a webhook key of a chat service: long, with letters and digits. */
export const isPathKey = (part: string) => part.length >= 16 && /\d/.test(part) && /[A-Za-z]/.test(part);

/** Returns a copy in which the value of every header that may carry a credential is masked. */
export function maskHeaders(headers: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value === '' || safeHeaders.test(name) ? value : maskedValue,
    ]),
  );
}

/** Masks the user info, query values and keys in the path of a URL; an invalid URL is masked as a whole. */
export function maskUrl(text: string): string {
  if (text === '') return text;
  if (!URL.canParse(text)) return maskedValue;
  const url = new URL(text);
  const user = url.username || url.password ? `${maskedValue}@` : '';
  const path = url.pathname
    .split('/')
    .map((part) => (isPathKey(part) ? maskedValue : part))
    .join('/');
  const query = [...url.searchParams.keys()]
    .map((name) => `${encodeURIComponent(name)}=${maskedValue}`)
    .join('&');
  return `${url.protocol}//${user}${url.host}${path}${query && `?${query}`}${url.hash && `#${maskedValue}`}`;
}

/** Whether part of the URL would be masked, or the URL is invalid. */
export function containsSecret(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password, search, hash, pathname } = new URL(text);
  return (
    [username, password, search, hash].some((part) => part !== '') || pathname.split('/').some(isPathKey)
  );
}

/** Whether a header of this name only describes the content. */
export function isSafeHeader(name: string): boolean {
  return safeHeaders.test(name);
}

/** Returns a masked copy of a webhook request for users without permission to change it. */
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
