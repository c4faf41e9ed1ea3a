// Reads a file or stdin up to a size limit. Text in another encoding than UTF-8 is an error instead of
// replacement characters.
import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from './usage-error.ts';

/** Default size limit in bytes, the maximum that the receiver and the API accept. */
const defaultMaxBytes = 10 * 1024 * 1024;

/**
 * Returns the text of a file, or of stdin for `-`. Throws a usage error naming the flag when it cannot be
 * read, is too large or is not UTF-8.
 */
export async function readFileOrStdin(source: string, terminal: Terminal, flag: string): Promise<string> {
  return utf8Text(await readFileOrStdinBytes(source, terminal, flag), source, flag);
}

/** The text of a file that was given with a flag. Throws a usage error when it is not UTF-8. */
export function utf8Text(bytes: Uint8Array, source: string, flag: string): string {
  const decoded = decodeUtf8(bytes);
  if ('text' in decoded) return decoded.text;
  throw new UsageError('cli.usage.encoding', { flag, source, line: decoded.invalidLine });
}

export async function readFileOrStdinBytes(
  source: string,
  terminal: Terminal,
  flag: string,
  maxBytes = defaultMaxBytes,
): Promise<Buffer> {
  if (source === '-') return readStream(terminal.stdin, terminal, flag, maxBytes);
  try {
    const file = await open(source);
    try {
      return await readStream(file.createReadStream({ autoClose: false }), terminal, flag, maxBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof UsageError || terminal.signal.aborted) throw error;
    throw new UsageError('cli.usage.file', { flag, source, reason: error });
  }
}

async function readStream(
  stream: Readable,
  terminal: Terminal,
  flag: string,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(terminal.signal, stream)) {
    size += (chunk as Buffer).length;
    if (size > maxBytes)
      throw new UsageError('cli.usage.too-large', { flag, megabytes: maxBytes / 1024 / 1024 });
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** The text without its byte order mark, or the first line, from 1, that is not valid UTF-8 (RFC 3629). */
export function decodeUtf8(bytes: Uint8Array): { text: string } | { invalidLine: number } {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return { text: decoder.decode(bytes) };
  } catch {
    return { invalidLine: findInvalidLine(bytes, decoder) };
  }
}

/** A line feed byte is never part of a longer character, so every line can be decoded by itself. */
function findInvalidLine(bytes: Uint8Array, decoder: TextDecoder): number {
  let line = 1;
  for (let start = 0; ; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    try {
      decoder.decode(bytes.subarray(start, end < 0 ? undefined : end));
    } catch {
      return line;
    }
    if (end < 0) return line;
    start = end + 1;
  }
}
