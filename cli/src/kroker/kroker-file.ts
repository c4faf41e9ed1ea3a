// Stores a Kroker's private key and token in one file that only its owner can read.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

export function readKrokerFile(path: string): KrokerFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError('cli.usage.file', { flag: '--file', source: path, reason: error });
  }
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found as KrokerFile;
  } catch {
    // The parser's message would quote the file, which contains a private key.
  }
  throw new UsageError('cli.usage.object', { flag: '--file' });
}
