// Content from a file or from stdin, within bounds.
import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import type { Terminal } from './terminal.ts';
import { Usage } from './usage.ts';

/** Largest content taken, in bytes: what the receiver and the API accept at most. */
const usualLargest = 10 * 1024 * 1024;

/** The text of a file, or of stdin for `-`. Throws, naming the flag, when it cannot be read or is too large. */
export async function readSource(source: string, terminal: Terminal, flag: string): Promise<string> {
  return (await readBytes(source, terminal, flag)).toString('utf8');
}

export async function readBytes(
  source: string,
  terminal: Terminal,
  flag: string,
  largest = usualLargest,
): Promise<Buffer> {
  if (source === '-') return collect(terminal.stdin, terminal, flag, largest);
  try {
    const file = await open(source);
    try {
      return await collect(file.createReadStream({ autoClose: false }), terminal, flag, largest);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Usage || terminal.signal.aborted) throw error;
    throw new Usage('cli.usage.file', { flag, source, reason: (error as Error).message });
  }
}

async function collect(stream: Readable, terminal: Terminal, flag: string, largest: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(terminal.signal, stream)) {
    size += (chunk as Buffer).length;
    if (size > largest) throw new Usage('cli.usage.too-large', { flag, megabytes: largest / 1024 / 1024 });
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
