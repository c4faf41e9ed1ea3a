// Reads small URL-encoded form posts.
import type { IncomingMessage } from 'node:http';

const maxFormBytes = 16_384;

/** Returns the fields, or null when the body is not a URL-encoded form or exceeds 16 KiB. */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams | null> {
  const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const chunks: Buffer[] = [];
  let size = 0;
  // Read to the end in any case, so that the browser gets its reply; discard the excess.
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxFormBytes) chunks.push(chunk);
    if (size > 64 * maxFormBytes) return null;
  }
  if (type !== 'application/x-www-form-urlencoded' || size > maxFormBytes) return null;
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

/**
 * True when the browser reports that the form was not sent from our own page. The sign-in cookie is the other
 * defense.
 */
export function isCrossSiteForm(req: IncomingMessage, publicUrl: string): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin';
  const { origin } = req.headers;
  return origin !== undefined && origin !== publicUrl;
}
