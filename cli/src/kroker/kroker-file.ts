// Stores a Kroker's private key and token in one file that only its owner can read.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KrokerFile } from '@yagura/core/kroker/machine-setup';
import { UsageError } from '../command-line/usage-error.ts';
import { settingsFolder } from '../signin/profiles.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The given path, or the default one. */
export function krokerPath(terminal: Terminal, given: string | undefined): string {
  if (given) return given;
  const folder = settingsFolder(terminal.env);
  if (!folder) throw new UsageError('cli.usage.no-home');
  return join(folder, 'kroker.json');
}

export function refuseExisting(path: string, replace: boolean | undefined): void {
  if (!replace && existsSync(path)) throw new UsageError('cli.usage.kroker-file', { file: path });
}

/** Written to a temporary file and renamed, so that it is never incomplete. */
export function writeKrokerFile(path: string, content: KrokerFile): void {
  const part = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(part, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(part, path);
  } catch (error) {
    throw new UsageError('cli.usage.cannot-keep', {
      folder: dirname(path),
      reason: (error as Error).message,
    });
  }
}

export function readKrokerFile(path: string): KrokerFile {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as KrokerFile;
  } catch (error) {
    throw new UsageError('cli.usage.file', {
      flag: '--file',
      source: path,
      reason: (error as Error).message,
    });
  }
}
