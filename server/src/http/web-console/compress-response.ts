// Compresses console responses (HTML and loader data).
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createGzip } from 'node:zlib';

/** Content types of documents and loader data; event streams and files are not compressed. */
const compressibleType = /^(text\/html|text\/x-script|application\/json)\b/;
/** gzip level; higher ones cost more time than they save. */
const compressionLevel = 4;
/** Maximum characters of Accept-Encoding that are parsed. */
const maxHeaderLength = 1000;

export interface CompressedBody {
  body: Readable | string;
  headers: Record<string, string>;
}

/** Returns the body encoded for a client with this Accept-Encoding, and the matching headers. */
export function compressResponse(response: Response, acceptEncoding: string | undefined): CompressedBody {
  if (!response.body) return { body: '', headers: {} };
  const body = Readable.fromWeb(response.body as ReadableStream);
  const type = response.headers.get('content-type') ?? '';
  if (!compressibleType.test(type) || response.headers.has('content-encoding')) return { body, headers: {} };
  const vary = [response.headers.get('vary'), 'Accept-Encoding'].filter(Boolean).join(', ');
  if (!acceptsGzip(acceptEncoding)) return { body, headers: { vary } };
  const gzip = createGzip({ level: compressionLevel });
  body.once('error', (error) => gzip.destroy(error));
  gzip.once('close', () => body.destroy());
  return { body: body.pipe(gzip), headers: { vary, 'content-encoding': 'gzip' } };
}

/** Whether Accept-Encoding allows gzip (RFC 9110 section 12.5.3). */
export function acceptsGzip(acceptEncoding = ''): boolean {
  return acceptEncoding
    .slice(0, maxHeaderLength)
    .split(',')
    .some((one) => {
      const [coding = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
      return coding === 'gzip' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
}
