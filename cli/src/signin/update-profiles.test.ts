import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UsageError } from '../command-line/usage-error.ts';
import { readProfiles, settingsFolder } from './profiles.ts';
import { updateProfiles } from './update-profiles.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('settingsFolder', () => {
  test.each([
    [{ YAGURA_CONFIG_DIR: '/x', HOME: '/h' }, 'linux', '/x'],
    [{ XDG_CONFIG_HOME: '/c', HOME: '/h' }, 'linux', '/c/yagura'],
    [{ HOME: '/h' }, 'linux', '/h/.config/yagura'],
    [{ HOME: '/h' }, 'darwin', '/h/Library/Application Support/yagura'],
  ] as const)('%j on %s', (env, platform, path) => expect(settingsFolder(env, platform)).toBe(path));
});

describe('keepProfiles', () => {
  const env = () => ({ YAGURA_CONFIG_DIR: join(folder, 'settings') });
  const place = (variables: NodeJS.ProcessEnv = env()) => ({
    env: variables,
    signal: new AbortController().signal,
  });

  test.each(['a folder', 'no JSON'])('says that the file is not one of profiles: %s', async (kind) => {
    const path = join(folder, 'settings', 'profiles.json');
    if (kind === 'a folder') mkdirSync(path, { recursive: true });
    else {
      mkdirSync(join(folder, 'settings'));
      writeFileSync(path, 'profiles');
    }
    expect(() => readProfiles(env())).toThrow(UsageError);
    await expect(updateProfiles(place(), () => {})).rejects.toThrow(UsageError);
  });

  test('keeps what was changed, readable by its owner only', async () => {
    await updateProfiles(place(), (profiles) => {
      profiles.current = 'a';
      profiles.profiles.a = { url: 'https://a.example', credential: { kind: 'token', token: 'secret' } };
    });
    expect(readProfiles(env()).profiles.a?.credential).toEqual({ kind: 'token', token: 'secret' });
    expect(statSync(join(folder, 'settings', 'profiles.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'settings')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder, 'settings'))).toEqual(['profiles.json']);
  });

  test('keeps a link to a file elsewhere', async () => {
    const elsewhere = join(folder, 'elsewhere.json');
    const link = join(folder, 'settings', 'profiles.json');
    writeFileSync(elsewhere, '{"profiles":{}}');
    mkdirSync(join(folder, 'settings'));
    symlinkSync(elsewhere, link);
    await updateProfiles(place(), (profiles) => {
      profiles.current = 'a';
    });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(elsewhere, 'utf8'))).toEqual({ current: 'a', profiles: {} });
  });

  test('changes at the same time lose nothing', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `p${index}`);
    await Promise.all(
      names.map((name) =>
        updateProfiles(place(), async (profiles) => {
          await turn();
          profiles.profiles[name] = { url: `https://${name}.example` };
        }),
      ),
    );
    expect(Object.keys(readProfiles(env()).profiles).sort()).toEqual([...names].sort());
  });

  test('a failed change keeps nothing and frees the way', async () => {
    await expect(
      updateProfiles(place(), (profiles) => {
        profiles.current = 'lost';
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await updateProfiles(place(), () => undefined);
    expect(readProfiles(env()).current).toBeUndefined();
  });

  test('a lock that a dead process left behind is removed', async () => {
    await updateProfiles(place(), () => undefined);
    const lock = join(folder, 'settings', 'profiles.lock');
    writeFileSync(lock, '');
    utimesSync(lock, new Date(0), new Date(0));
    await updateProfiles(place(), (profiles) => {
      profiles.current = 'b';
    });
    expect(readProfiles(env()).current).toBe('b');
  });

  test('an interruption ends the wait for another process, which keeps its lock', async () => {
    const lock = join(folder, 'settings', 'profiles.lock');
    await updateProfiles(place(), async () => {
      const stop = new AbortController();
      const waiting = updateProfiles({ env: env(), signal: stop.signal }, () => expect.unreachable());
      stop.abort();
      await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
      expect(existsSync(lock)).toBe(true);
    });
    expect(existsSync(lock)).toBe(false);
  });

  test('a process that has lost its lock leaves that of the next one', async () => {
    const lock = join(folder, 'settings', 'profiles.lock');
    await updateProfiles(place(), () => {
      renameSync(lock, join(folder, 'lost'));
      writeFileSync(lock, 'next');
    });
    expect(readFileSync(lock, 'utf8')).toBe('next');
  });

  test.each(['file', 'file/below', '/proc/nothing'])(
    '%s, where nothing can be kept, is named',
    async (name) => {
      writeFileSync(join(folder, 'file'), '');
      const kept = updateProfiles(place({ YAGURA_CONFIG_DIR: resolve(folder, name) }), () => undefined);
      await expect(kept).rejects.toMatchObject({ messageKey: 'cli.usage.cannot-keep' });
    },
  );
});

describe('readProfiles', () => {
  test.each(['missing', 'file/below'])('%s counts as empty', (name) => {
    writeFileSync(join(folder, 'file'), '');
    expect(readProfiles({ YAGURA_CONFIG_DIR: join(folder, name) })).toEqual({ profiles: {} });
  });

  test('a broken file is an error, not an empty one', () => {
    writeFileSync(join(folder, 'profiles.json'), '{"profiles":');
    chmodSync(join(folder, 'profiles.json'), 0o600);
    expect(() => readProfiles({ YAGURA_CONFIG_DIR: folder })).toThrow(UsageError);
  });
});
