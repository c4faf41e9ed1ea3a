// What the console answers, made small on its way: pages and their data are text that says the same things often.
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createGzip } from 'node:zlib';

/** Documents, data of pages and the routes of a page; streams of events and files go as they are. */
const packable = /^(text\/html|text\/x-script|application\/json)\b/;
/** Higher levels take longer than what they spare. */
const level = 4;
/** Characters of Accept-Encoding that are read. */
const longestHeader = 1000;

export interface CompressedBody {
  body: Readable | string;
  headers: Record<string, string>;
}

/** The body of a reply as it is sent to somebody who accepts these encodings, and the headers that say so. */
export function compressResponse(response: Response, accepted: string | undefined): CompressedBody {
  if (!response.body) return { body: '', headers: {} };
  const body = Readable.fromWeb(response.body as ReadableStream);
  const type = response.headers.get('content-type') ?? '';
  if (!packable.test(type) || response.headers.has('content-encoding')) return { body, headers: {} };
  const vary = [response.headers.get('vary'), 'Accept-Encoding'].filter(Boolean).join(', ');
  if (!takesGzip(accepted)) return { body, headers: { vary } };
  const zipped = createGzip({ level });
  body.once('error', (error) => zipped.destroy(error));
  zipped.once('close', () => body.destroy());
  return { body: body.pipe(zipped), headers: { vary, 'content-encoding': 'gzip' } };
}

/** Whether Accept-Encoding names gzip without refusing it (RFC 9110 section 12.5.3). */
export function takesGzip(accepted = ''): boolean {
  return accepted
    .slice(0, longestHeader)
    .split(',')
    .some((one) => {
      const [coding = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
      return coding === 'gzip' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
}
