// Decompresses a body within limits, so that a small message cannot use much memory.
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib';
import type { Reason } from '@yagura/core/alerthub/decision-log';
import { reason } from '@yagura/core/alerthub/engine/errors/decision-reason';

/**
 * Maximum bytes of a decompressed body: as many as of one that is not compressed, and not many times its own
 * size, because batches of messages are limited by their size as received.
 */
const inflatedBytes = { max: 10 << 20, min: 512 << 10, ratio: 20 };

type Inflate = (bytes: Buffer, options: ZlibOptions) => Buffer;

const decoders: Record<string, Inflate> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  // Some senders omit the zlib header that HTTP requires.
  deflate: (bytes, options) => ((bytes[0]! & 0x0f) === 8 ? inflateSync : inflateRawSync)(bytes, options),
  br: (bytes, { maxOutputLength, finishFlush }) =>
    brotliDecompressSync(bytes, {
      ...(maxOutputLength === undefined ? {} : { maxOutputLength }),
      ...(finishFlush === undefined ? {} : { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
    }),
};

/**
 * Returns the decompressed bytes, or the bytes as they are with the reason. `isCut` means that these are only
 * the first bytes, which are decompressed as far as possible.
 */
export function decompress(
  bytes: Buffer,
  encodings: string,
  isCut: boolean,
): { bytes: Buffer; error?: Reason } {
  const names = encodings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  // Nobody compresses twice, except to attack.
  if (names.length === 0) return { bytes };
  const [encoding = ''] = names;
  const inflate = names.length === 1 && Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (!inflate) return { bytes, error: reason('why.data.encoding', { encoding: encodings.slice(0, 100) }) };
  if (bytes.length === 0) return { bytes };
  const { max, min, ratio } = inflatedBytes;
  const limit = Math.min(max, Math.max(min, ratio * bytes.length));
  const options: ZlibOptions = {
    maxOutputLength: limit,
    ...(isCut ? { finishFlush: constants.Z_SYNC_FLUSH } : {}),
  };
  try {
    return { bytes: inflate(bytes, options) };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLarge) return { bytes, error: reason('why.data.inflated', { most: limit }) };
    return { bytes, error: reason('why.data.compressed', { encoding }) };
  }
}
