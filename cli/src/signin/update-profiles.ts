// Updates the profiles file under a lock and atomically.
import { join } from 'node:path';
import Conf from 'conf';
import { UsageError } from '../command-line/usage-error.ts';
import { createFolder } from '../files/create-folder.ts';
import { acquireFileLock } from './file-lock.ts';
import { type Profiles, profilesFileName, readProfiles, settingsFolder } from './profiles.ts';

/**
 * Reads, changes and writes the profiles under the lock, which is held during network calls of the callback.
 */
export async function updateProfiles<T>(
  env: NodeJS.ProcessEnv,
  change: (profiles: Profiles) => T | Promise<T>,
): Promise<T> {
  const folder = settingsFolder(env);
  if (!folder) throw new UsageError('cli.usage.no-home');
  const release = await keeping(folder, () => {
    createFolder(folder, 0o700);
    return acquireFileLock(join(folder, `${profilesFileName}.lock`));
  });
  try {
    const profiles = readProfiles(env);
    const result = await change(profiles);
    await keeping(folder, () => write(folder, profiles));
    return result;
  } finally {
    release();
  }
}

function write(folder: string, { current, profiles }: Profiles): void {
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
    throw new UsageError('cli.usage.cannot-keep', { folder, reason: error });
  }
}
