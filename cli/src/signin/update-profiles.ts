// Updates the profiles file under a lock and atomically.
import { join } from 'node:path';
import { UsageError } from '../command-line/usage-error.ts';
import { createFolder } from '../files/create-folder.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { acquireFileLock } from './file-lock.ts';
import { loadConf } from './load-conf.ts';
import { type Profiles, profilesFileName, readProfiles, settingsFolder } from './profiles.ts';

/**
 * Reads, changes and writes the profiles under the lock, which is held during network calls of the callback. An
 * interruption ends the wait for the lock. `save` writes them before the callback has ended, and throws if that is not
 * possible.
 */
export async function updateProfiles<T>(
  { env, signal }: Pick<Terminal, 'env' | 'signal'>,
  change: (profiles: Profiles, save: () => Promise<void>) => T | Promise<T>,
): Promise<T> {
  const folder = settingsFolder(env);
  if (!folder) throw new UsageError('cli.usage.no-home');
  const release = await keeping(folder, () => {
    createFolder(folder, 0o700);
    return acquireFileLock(join(folder, `${profilesFileName}.lock`), signal);
  });
  try {
    const profiles = readProfiles(env);
    const save = () => keeping(folder, () => write(folder, profiles));
    const result = await change(profiles, save);
    await save();
    return result;
  } finally {
    release();
  }
}

async function write(folder: string, { current, profiles }: Profiles): Promise<void> {
  const { default: Conf } = await loadConf();
  const file = new Conf<Record<string, unknown>>({
    cwd: folder,
    configName: profilesFileName,
    configFileMode: 0o600,
  });
  file.store = { ...(current ? { current } : {}), profiles };
}

/** Converts a failure of the file system to a usage error that names the folder. */
async function keeping<T>(folder: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new UsageError('cli.usage.cannot-keep', { folder, reason: error });
  }
}
