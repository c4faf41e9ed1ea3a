import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Written to another file, flushed and renamed, so that the file is never incomplete and never readable by others. What
 * root writes belongs to the owner of the earlier file, or of the folder: the agent has to read it.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.${randomBytes(6).toString('hex')}.part`;
  // Never through a link that somebody else has placed there.
  const file = await open(part, 'wx', 0o600);
  try {
    if (process.geteuid?.() === 0) await keepOwner(file, path);
    await file.writeFile(text);
    await file.sync();
    await file.close();
    await rename(part, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}

async function keepOwner(file: FileHandle, path: string): Promise<void> {
  const { uid, gid } = await stat(path).catch(() => stat(dirname(path)));
  if (uid !== 0) await file.chown(uid, gid);
}
