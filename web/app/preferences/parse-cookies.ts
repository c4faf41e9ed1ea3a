// Parses the Cookie header.

/** Parses a request's cookies by name; the first of duplicate names wins. */
export function parseCookies(request: Request): Map<string, string> {
  const found = new Map<string, string>();
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const cut = pair.indexOf('=');
    const name = pair.slice(0, cut).trim();
    if (cut > 0 && !found.has(name)) found.set(name, pair.slice(cut + 1).trim());
  }
  return found;
}
