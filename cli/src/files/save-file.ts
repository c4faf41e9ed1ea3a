// Writes files that a command line names.
import { writeFile } from 'node:fs/promises';
import { UsageError } from '../command-line/usage-error.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';

export interface SaveOptions {
  /** The flag with the path, for the error. */
  flag: string;
  /** Permissions of a new file. */
  mode?: number;
  /** `wx` refuses an existing file. */
  open?: 'w' | 'wx';
}

/** Writes a file, and says so on stderr. Throws a usage error naming the flag when it cannot be written. */
export async function saveFile(
  terminal: Terminal,
  path: string,
  content: string | Uint8Array,
  options: SaveOptions,
): Promise<void> {
  await writeOrThrow(path, content, options);
  printMessage(terminal, terminal.t('cli.export.saved', { path }));
}

/** Like `saveFile`, without a message. */
export async function writeOrThrow(
  path: string,
  content: string | Uint8Array,
  { flag, mode, open = 'w' }: SaveOptions,
): Promise<void> {
  await saving(flag, path, () => writeFile(path, content, { mode, flag: open }));
}

/** Converts a failure of `write` to a usage error that names the flag and the path. */
export async function saving(flag: string, source: string, write: () => unknown): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new UsageError('cli.usage.save', { flag, source, reason: (error as Error).message });
  }
}
