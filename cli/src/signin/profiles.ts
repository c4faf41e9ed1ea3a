// Reads the saved spaces and credentials from one file that only its owner can read.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export type Credential =
  | { kind: 'token'; token: string }
  | {
      kind: 'person';
      issuer: string;
      clientId: string;
      accessToken: string;
      refreshToken?: string;
      /** Expiry of the access token, in milliseconds since 1970. */
      expiresAt: number;
    };

export interface Profile {
  /** Origin of the space. */
  url: string;
  credential?: Credential;
}

export interface Profiles {
  current?: string;
  profiles: Record<string, Profile>;
}

export const profilesFileName = 'profiles';

/** The settings folder by platform convention; undefined when there is no home directory. */
export function settingsFolder(env: NodeJS.ProcessEnv, platform = process.platform): string | undefined {
  if (env.YAGURA_CONFIG_DIR) return env.YAGURA_CONFIG_DIR;
  if (platform === 'win32' && env.APPDATA) return join(env.APPDATA, 'yagura');
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, 'yagura');
  const home = env.HOME || homeFolder();
  if (!home) return undefined;
  return platform === 'darwin'
    ? join(home, 'Library', 'Application Support', 'yagura')
    : join(home, '.config', 'yagura');
}

/** Reads the profiles. A missing or unreadable file counts as empty, an invalid one throws. */
export function readProfiles(env: NodeJS.ProcessEnv): Profiles {
  const folder = settingsFolder(env);
  const text = folder && readIfExists(join(folder, `${profilesFileName}.json`));
  if (!text) return { profiles: {} };
  const found = JSON.parse(text) as Partial<Profiles>;
  return { current: found.current, profiles: { ...found.profiles } };
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  }
}

function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}
