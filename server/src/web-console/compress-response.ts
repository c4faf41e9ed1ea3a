// What the console answers, made small on its way: pages and their data are text that says the same things often.
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createGzip } from 'node:zlib';

/** Documents, data of pages and the routes of a page; streams of events and files go as they are. */
const compressibleType = /^(text\/html|text\/x-script|application\/json)\b/;
/** Higher levels take longer than what they spare. */
const compressionLevel = 4;
/** Characters of Accept-Encoding that are read. */
const maxHeaderLength = 1000;

export interface CompressedBody {
  body: Readable | string;
  headers: Record<string, string>;
}

/** The body of a reply as it is sent to somebody who accepts these encodings, and the headers that say so. */
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

/** Whether Accept-Encoding names gzip without refusing it (RFC 9110 section 12.5.3). */
export function acceptsGzip(acceptEncoding = ''): boolean {
  return acceptEncoding
    .slice(0, maxHeaderLength)
    .split(',')
    .some((one) => {
      const [coding = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
      return coding === 'gzip' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
}
