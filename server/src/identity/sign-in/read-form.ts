// The body of a form post: small, and of the one content type that forms without files have.
import type { IncomingMessage } from 'node:http';

const maxFormBytes = 16_384;

/** The fields, or null when it is no urlencoded form or has more than 16 KiB. */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams | null> {
  const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const chunks: Buffer[] = [];
  let size = 0;
  // Read to the end in any case, so that the browser gets its answer; what is too much is not kept.
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxFormBytes) chunks.push(chunk);
    if (size > 64 * maxFormBytes) return null;
  }
  if (type !== 'application/x-www-form-urlencoded' || size > maxFormBytes) return null;
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

/** True when a browser says that the form was not sent from our own page. The cookie of the sign-in is the other defence. */
export function isCrossSiteForm(req: IncomingMessage, publicUrl: string): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin';
  const { origin } = req.headers;
  return origin !== undefined && origin !== publicUrl;
}
