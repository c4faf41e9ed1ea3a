// Writes files that a command line names.
import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { UsageError } from '../command-line/usage-error.ts';
import { cleanContent } from '../terminal/clean.ts';
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

/**
 * Writes content to the file as it arrives, or to stdout without a file or for `-`. A terminal gets its controls escaped,
 * unless `-` asks for every byte.
 */
export async function saveOrPrint(
  terminal: Terminal,
  path: string | undefined,
  content: AsyncIterable<Uint8Array>,
  options: StreamOptions,
): Promise<void> {
  if (path !== undefined && path !== '-') return saveStream(terminal, path, content, options);
  const shown = path === undefined && terminal.out.isTTY ? cleanContent(content) : content;
  for await (const chunk of shown) await terminal.out.writeAndDrain(chunk);
}

export interface StreamOptions extends Pick<SaveOptions, 'flag' | 'mode'> {
  /** Refuses a file that is there. */
  isNew?: boolean;
}

/**
 * Writes a file as its content arrives, beside its place until it is whole: a failure leaves what was there before. An error
 * of the content is thrown as it is.
 */
export async function saveStream(
  terminal: Terminal,
  path: string,
  content: AsyncIterable<Uint8Array>,
  { flag, mode, isNew = false }: StreamOptions,
): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there && isNew) throw new UsageError('cli.usage.save-there', { flag, source: path });
  // A pipe or a device cannot be replaced; of a link, the file that it names is.
  const isReplaced = there === undefined || there.isFile();
  const target = there?.isFile() ? await realpath(path) : path;
  const written = isReplaced ? `${target}.${randomBytes(6).toString('hex')}.yagura-part` : target;
  try {
    const file = await saving(flag, path, () => open(written, isReplaced ? 'wx' : 'w', there?.mode ?? mode));
    try {
      for await (const chunk of content) await saving(flag, path, () => file.appendFile(chunk));
    } catch (error) {
      await file.close();
      throw error;
    }
    // Some file systems report only now that there is no space.
    await saving(flag, path, () => file.close());
    if (isReplaced) await saving(flag, path, () => rename(written, target));
  } catch (error) {
    if (isReplaced) await rm(written, { force: true });
    throw error;
  }
  printMessage(terminal, terminal.t('cli.export.saved', { path }));
}

/** Converts a failure of `write` to a usage error that names the flag and the path. */
export async function saving<T>(flag: string, source: string, write: () => T | Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw new UsageError('cli.usage.save', { flag, source, reason: error });
  }
}
