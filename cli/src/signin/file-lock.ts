// A lock between processes: a file that only one of them can create.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  futimesSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds without a sign of life after which the holder of a lock is considered dead. */
const staleMs = 60_000;
const signOfLifeMs = staleMs / 6;
const retryMs = 50;

/**
 * Waits for the lock and returns its release. Throws the error of the file system when the lock cannot be created, and an
 * AbortError when the signal ends the wait.
 */
export async function acquireFileLock(path: string, signal?: AbortSignal): Promise<() => void> {
  const file = await createWhenFree(path, signal);
  const signsOfLife = setInterval(() => futimesSync(file, new Date(), new Date()), signOfLifeMs);
  return () => {
    clearInterval(signsOfLife);
    const own = fstatSync(file);
    closeSync(file);
    // A process that was suspended for long has lost its lock to another.
    if (isSameFile(own, find(path))) rmSync(path, { force: true });
  };
}

async function createWhenFree(path: string, signal: AbortSignal | undefined): Promise<number> {
  for (;;) {
    try {
      return openSync(path, 'wx', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const held = find(path);
    if (held && Date.now() - held.mtimeMs > staleMs) removeStale(path, held);
    else await pause(retryMs, undefined, { signal });
  }
}

/** Removes the lock if it is still the one that was found stale: another process may have replaced it by its own. */
export function removeStale(path: string, stale: Stats): void {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (isSameFile(statSync(aside), stale)) rmSync(aside);
  else renameSync(aside, path);
}

const find = (path: string) => statSync(path, { throwIfNoEntry: false });

function isSameFile(one: Stats, other: Stats | undefined): boolean {
  return one.ino === other?.ino && one.dev === other.dev;
}
