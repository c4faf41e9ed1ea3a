// Web addresses, with a protocol and without.

const longest = 2048;

/** An absolute http or https URL with a host name or address. */
export function isUrl(text: string): boolean {
  if (text.length > longest || !/^https?:\/\/[^\s/]/i.test(text) || /\s/.test(text)) return false;
  const url = parse(text);
  return url !== undefined && isHost(url.hostname);
}

/** The same, or the same without `https://` in front: `example.com/path`, `localhost:8080`. */
export function isUrlOrHost(text: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return isUrl(text);
  return !text.startsWith('/') && isUrl(`https://${text}`);
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) return true;
  return host.length <= 253 && host.split('.').every((part) => /^[a-z0-9_](?:[a-z0-9_-]{0,62})$/i.test(part));
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
