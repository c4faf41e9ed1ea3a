// Writes a settings file that only its owner can read.
import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../command-line/usage-error.ts';
import { createFolder } from '../files/create-folder.ts';

/** Written to a temporary file and renamed, so that it is never incomplete. A link to the file stays one. */
export function writeSettingsFile(path: string, content: object): void {
  const file = existsSync(path) ? realpathSync(path) : path;
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    createFolder(dirname(path), 0o700);
    writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new UsageError('cli.usage.cannot-keep', {
      folder: dirname(path),
      reason: error,
    });
  }
}
