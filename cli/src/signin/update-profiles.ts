// Updates the profiles file under a lock and atomically.
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Conf from 'conf';
import { UsageError } from '../command-line/usage-error.ts';
import { createFolder } from '../files/create-folder.ts';
import { type Profiles, profilesFileName, readProfiles, settingsFolder } from './profiles.ts';

/** Age in milliseconds after which a lock is considered abandoned by a crashed process. */
const staleLockMs = 60_000;

/**
 * Reads, changes and writes the profiles under the lock, which is held during network calls of the callback.
 */
export async function updateProfiles<T>(
  env: NodeJS.ProcessEnv,
  change: (profiles: Profiles) => T | Promise<T>,
): Promise<T> {
  const folder = settingsFolder(env);
  if (!folder) throw new UsageError('cli.usage.no-home');
  try {
    createFolder(folder, 0o700);
  } catch (error) {
    throw new UsageError('cli.usage.cannot-keep', { folder, reason: error });
  }
  const lock = join(folder, `${profilesFileName}.lock`);
  await acquireLock(lock, folder);
  try {
    const profiles = readProfiles(env);
    const result = await change(profiles);
    const file = new Conf<Record<string, unknown>>({
      cwd: folder,
      configName: profilesFileName,
      configFileMode: 0o600,
    });
    file.store = { ...(profiles.current ? { current: profiles.current } : {}), profiles: profiles.profiles };
    return result;
  } finally {
    rmSync(lock, { force: true });
  }
}

async function acquireLock(lock: string, folder: string): Promise<void> {
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx', 0o600));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new UsageError('cli.usage.cannot-keep', { folder, reason: error });
    }
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > staleLockMs) rmSync(lock, { force: true });
    else await pause(50);
  }
}
