// Reads a file or stdin up to a size limit.
import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from './usage-error.ts';

/** Default size limit in bytes, the maximum that the receiver and the API accept. */
const defaultMaxBytes = 10 * 1024 * 1024;

/**
 * Returns the text of a file, or of stdin for `-`. Throws a usage error naming the flag when it cannot be
 * read or is too large.
 */
export async function readFileOrStdin(source: string, terminal: Terminal, flag: string): Promise<string> {
  return (await readFileOrStdinBytes(source, terminal, flag)).toString('utf8');
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
    throw new UsageError('cli.usage.file', { flag, source, reason: (error as Error).message });
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
