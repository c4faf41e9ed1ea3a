// Reads the saved spaces and credentials from one file that only its owner can read.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { closestMatch } from '../command-line/closest-match.ts';
import { UsageError } from '../command-line/usage-error.ts';

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

/** Whether a text can be an API token: 1 to 4,096 visible ASCII characters. */
export const isTokenText = (text: string): boolean => /^[\x21-\x7e]{1,4096}$/.test(text);

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

/** Path of the file with the profiles; undefined when there is no home directory. */
export function profilesPath(env: NodeJS.ProcessEnv): string | undefined {
  const folder = settingsFolder(env);
  return folder && join(folder, `${profilesFileName}.json`);
}

/** Reads the profiles. A missing or unreadable file counts as empty, an invalid one throws. */
export function readProfiles(env: NodeJS.ProcessEnv): Profiles {
  const path = profilesPath(env);
  const text = path && readIfExists(path);
  if (!text) return { profiles: {} };
  const found = parseProfiles(text, path);
  return { current: found.current, profiles: { ...found.profiles } };
}

/** Throws a usage error that names the profiles there are. */
export function assertKnownProfile({ profiles }: Profiles, name: string): void {
  const known = Object.keys(profiles);
  if (known.includes(name)) return;
  const close = closestMatch(name, known);
  throw new UsageError('cli.usage.unknown-profile', {
    profile: name,
    profiles: (close.length ? close : known).join(', ') || '-',
  });
}

function parseProfiles(text: string, path: string): Partial<Profiles> {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found === 'object' && found !== null) return found;
  } catch {
    // The parser's message would quote the file, which contains credentials.
  }
  throw new UsageError('cli.usage.profiles-file', { path });
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    // Its message has no path, so that it would not be told as an error of a file.
    if ((error as NodeJS.ErrnoException).code === 'EISDIR')
      throw new UsageError('cli.usage.profiles-file', { path });
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
