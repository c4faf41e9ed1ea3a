// Validates the return path of a sign-in or a preference change: same origin only.

/** Returns path, query and fragment of the requested URL if it stays on this origin, else `/`. */
export function returnPath(requested: unknown): string {
  if (typeof requested !== 'string' || !requested.startsWith('/') || requested.length > 2000) return '/';
  // `//host`, `/\host` and control characters make browsers leave the origin.
  if (/^\/[/\\]/.test(requested) || /[\u0000-\u001f\u007f\\]/.test(requested)) return '/';
  const base = 'http://origin.invalid';
  const url = URL.canParse(requested, base) ? new URL(requested, base) : null;
  if (url?.origin !== base || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search + url.hash;
}
