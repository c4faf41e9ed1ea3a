import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Creates a function that writes to the disk what the operating system still holds of the tables and indexes of a data
 * folder, as far as they changed since its last call. A checkpoint does the same in the engine's only thread while
 * every other statement waits; after this, little is left for it. Durability does not depend on it: files that
 * disappear or cannot be read are skipped, and the checkpoint flushes all files itself. Resolves with the number of
 * flushed files.
 */
export function createFileFlusher(folder: string): () => Promise<number> {
  const databases = join(folder, 'engine', 'base');
  /** The newest time of change that was seen, in milliseconds since 1970. */
  let seenUntil = 0;

  return async () => {
    const changed: string[] = [];
    const since = seenUntil;
    for (const name of await readdir(databases, { recursive: true }).catch(() => [])) {
      const path = join(databases, name);
      const file = await stat(path).catch(() => undefined);
      // Not only later changes: within one tick of the clock a file can change before and after it was flushed.
      if (!file?.isFile() || file.mtimeMs < since) continue;
      changed.push(path);
      seenUntil = Math.max(seenUntil, file.mtimeMs);
    }
    let flushed = 0;
    for (const path of changed) if (await flushFile(path)) flushed += 1;
    return flushed;
  };
}

/** Called for one file at a time, so that a write of the intake journal does not wait behind many others. */
async function flushFile(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'r');
    try {
      await file.datasync();
      return true;
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}
