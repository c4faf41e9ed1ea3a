// Signing in with a token, and the profiles that are kept.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reply, StubSpace } from '../../test/stub-space.ts';
import { type TestTerminal, type TestTerminalOptions, testTerminal } from '../../test/test-terminal.ts';
import { deleteProfile, listProfiles, useProfile } from '../account/profile-commands.ts';
import { browserSignIn } from './browser-sign-in.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { settingsFolder } from './profiles.ts';
import { openSession } from './session.ts';

const space = new StubSpace();
beforeAll(() => space.start());
afterAll(() => space.stop());

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-login-'));
  space.reset({ 'GET /api/space': {} });
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = () => join(folder, 'profiles.json');
const kept = () => JSON.parse(readFileSync(path(), 'utf8'));
const keep = (profiles: object, current?: string) =>
  writeFileSync(path(), JSON.stringify({ current, profiles }));
const shown = (options: TestTerminalOptions & { profile?: string } = {}): Promise<TestTerminal> =>
  testTerminal({ ...options, env: { YAGURA_CONFIG_DIR: folder, ...options.env } }).then((all) => ({
    ...all,
    terminal: { ...all.terminal, profile: options.profile },
  }));
const token = (text: string) => ({ kind: 'token', token: text });

describe('a sign-in with a token', () => {
  test('checks the token and keeps it in the default profile', async () => {
    const { terminal, err } = await shown({ input: ' secret-token \n' });
    await login(terminal, space.origin, { token: '-' });
    expect(space.asked).toMatchObject([
      {
        call: 'GET /api/space',
        headers: { 'x-authorization': 'Token secret-token', 'accept-language': 'en' },
      },
    ]);
    expect(kept()).toEqual({
      current: 'default',
      profiles: { default: { url: space.origin, credential: token('secret-token') } },
    });
    expect(err()).toBe(`${terminal.t('cli.login.done', { origin: space.origin, profile: 'default' })}\n`);
  });

  test.each<[string, { profile?: string; env?: Record<string, string> }, boolean, string]>([
    ['the one of the command line', { profile: 'a', env: { YAGURA_PROFILE: 'b' } }, true, 'a'],
    ['the one of the environment', { env: { YAGURA_PROFILE: 'b' } }, true, 'b'],
    ['the default for an address', {}, true, 'default'],
    ['the current one without an address', {}, false, 'work'],
  ])('is kept in %s', async (_what, options, hasAddress, expected) => {
    keep({ work: { url: space.origin } }, 'work');
    const { terminal } = await shown({ ...options, input: 'x' });
    await login(terminal, hasAddress ? space.origin : undefined, { token: true });
    expect(kept().current).toBe(expected);
    expect(kept().profiles[expected].credential).toEqual(token('x'));
  });

  test('of a token that may not read the space is kept, of one that is not known it is not', async () => {
    space.replies['GET /api/space'] = reply({ status: 403, problem: 'forbidden' });
    await login((await shown({ input: 'x' })).terminal, space.origin, { token: '-' });
    expect(kept().profiles.default.credential).toEqual(token('x'));
    for (const [status, problem] of [
      [401, 'sign-in-required'],
      [500, 'internal'],
    ] as const) {
      space.replies['GET /api/space'] = reply({ status, problem });
      await expect(
        login((await shown({ input: 'y' })).terminal, space.origin, { token: '-' }),
      ).rejects.toMatchObject({ kind: problem });
    }
    expect(kept().profiles.default.credential).toEqual(token('x'));
  });

  test.each([
    ['a token on the command line', 'a', { token: 'secret' }, 'cli.usage.token-value'],
    ['an empty token', ' ', { token: '-' }, 'cli.usage.token'],
    ['a token with spaces', 'a b', { token: '-' }, 'cli.usage.token'],
    ['a token that is too long', 'x'.repeat(4097), { token: '-' }, 'cli.usage.token'],
    ['a token and a device', 'a', { token: '-', device: true }, 'cli.usage.token-or-device'],
  ])('is refused for %s', async (_what, input, options, messageKey) => {
    await expect(login((await shown({ input })).terminal, space.origin, options)).rejects.toMatchObject({
      messageKey,
    });
    expect(space.calls).toEqual([]);
  });

  test('wants an address once, and warns of one without encryption', async () => {
    await expect(login((await shown()).terminal, undefined, { token: '-' })).rejects.toMatchObject({
      messageKey: 'cli.usage.login-url',
    });
    const { terminal, err } = await shown({ input: ' ' });
    await expect(login(terminal, 'http://space.example', { token: '-' })).rejects.toThrow();
    expect(err()).toContain(terminal.t('cli.bare-http', { origin: 'http://space.example' }));
  });
});

describe('a sign-in in the browser', () => {
  const provider = (more: object = {}) => {
    const issuer = `${space.origin}/oidc`;
    space.replies['GET /api/internal/oidc/client-info'] = { issuer, cliClientId: 'cli', domain: 'd' };
    space.replies['GET /oidc/.well-known/openid-configuration'] = {
      ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
      ...more,
    };
    return issuer;
  };

  test('is refused at once where there is no terminal and nobody asked for the URL', async () => {
    provider();
    await expect(login((await shown()).terminal, space.origin, {})).rejects.toMatchObject({
      messageKey: 'cli.usage.login-terminal',
    });
    expect(space.calls).toEqual([]);
  });

  test('without a terminal says what it waits for, and ends after its time', async () => {
    const issuer = provider();
    const { terminal, err } = await shown();
    await expect(browserSignIn(terminal, space.origin, false, 50)).rejects.toMatchObject({
      kind: 'sign-in-required',
      detail: terminal.t('cli.login.late', { minutes: 1 }),
    });
    expect(err().split('\n')).toEqual([
      terminal.t('cli.login.open'),
      expect.stringContaining(`${issuer}/auth?`),
      terminal.t('cli.login.waiting', { minutes: 1 }),
      '',
    ]);
  });

  test('with a code ends when the code has expired, even if the provider does not say so', async () => {
    const issuer = provider({ device_authorization_endpoint: `${space.origin}/oidc/device/auth` });
    space.replies['POST /oidc/device/auth'] = {
      ...{ device_code: 'd', user_code: 'AB-CD', verification_uri: `${issuer}/device` },
      ...{ expires_in: 1, interval: 0.2 },
    };
    space.replies['POST /oidc/token'] = reply({ status: 400, body: { error: 'authorization_pending' } });
    const { terminal, err } = await shown();
    await expect(login(terminal, space.origin, { device: true })).rejects.toMatchObject({
      kind: 'sign-in-required',
      detail: terminal.t('cli.login.device-late'),
    });
    expect(err()).toContain(terminal.t('cli.login.waiting', { minutes: 1 }));
  });
});

test('a token that the space says has expired is refused with its words', async () => {
  const detail = 'the API token expired at 2026-01-31T09:00:00.000Z';
  space.replies['GET /api/space'] = reply({ status: 401, problem: 'sign-in-required', body: { detail } });
  const { terminal } = await shown({ input: 'x' });
  await expect(login(terminal, space.origin, { token: '-' })).rejects.toMatchObject({ detail });
});

describe('at a server that is none of Yagura nothing is kept', () => {
  test.each([
    ['a web page', '<html>', 'text/html', 'replied with a web page'],
    ['a list', '[]', 'application/json', 'did not reply with the JSON'],
    ['a word', 'ok', 'text/plain', 'did not reply with the JSON'],
  ])('such as one that replies with %s', async (_what, body, type, text) => {
    const foreign = reply({ body, headers: { 'content-type': type } });
    space.reset({ 'GET /api/space': foreign, 'GET /api/internal/oidc/client-info': foreign });
    for (const options of [{ token: '-' }, { device: true }, { browser: false }]) {
      const { terminal } = await shown({ input: 'x' });
      await expect(login(terminal, space.origin, options)).rejects.toMatchObject({
        kind: 'unreachable',
        detail: expect.stringContaining(`${space.origin} ${text}`),
      });
    }
    expect(existsSync(path())).toBe(false);
  });
});

test.each([{ token: '-' }, { device: true }, { browser: false }])(
  'a sign-in with %j at an address where nothing listens names it',
  async (options) => {
    const { terminal } = await shown({ input: 'x' });
    await expect(login(terminal, 'http://127.0.0.1:1', options)).rejects.toMatchObject({
      kind: 'unreachable',
      detail: 'http://127.0.0.1:1 (connection refused: ECONNREFUSED)',
    });
  },
);

describe('signing out', () => {
  test('forgets the credential of the profile, and keeps the rest', async () => {
    keep(
      { a: { url: space.origin, credential: token('x') }, b: { url: space.origin, credential: token('y') } },
      'a',
    );
    const { terminal, err } = await shown();
    await logout(terminal);
    expect(kept().profiles).toEqual({
      a: { url: space.origin },
      b: { url: space.origin, credential: token('y') },
    });
    expect(err()).toContain(terminal.t('cli.logout.done', { profile: 'a' }));
    await logout(terminal);
    expect(err()).toBe(`${terminal.t('cli.logout.none')}\n`);
    await logout((await shown({ profile: 'b' })).terminal);
    expect(kept().profiles.b).toEqual({ url: space.origin });
  });

  test('of a profile that does not exist is refused', async () => {
    keep({ a: { url: space.origin, credential: token('x') } }, 'a');
    await expect(logout((await shown({ profile: 'b' })).terminal)).rejects.toMatchObject({
      messageKey: 'cli.usage.unknown-profile',
      params: { profile: 'b', profiles: 'a' },
    });
    expect(kept().profiles.a.credential).toEqual(token('x'));
  });
});

describe('profiles', () => {
  beforeEach(() =>
    keep({ work: { url: space.origin, credential: token('x') }, home: { url: 'http://h.example' } }, 'work'),
  );

  test('are listed without their secrets', async () => {
    const { terminal, out, err } = await shown();
    await listProfiles(terminal, { output: 'json' });
    expect(JSON.parse(out())).toEqual([
      { name: 'work', url: space.origin, credential: 'token', current: true },
      { name: 'home', url: 'http://h.example', credential: null, current: false },
    ]);
    keep({});
    await listProfiles(terminal, {});
    expect(out() + err()).toBe('');
    const live = await shown({ live: true });
    await listProfiles(live.terminal, {});
    expect(live.err()).toContain(terminal.t('cli.profiles.none'));
  });

  test('are switched and deleted; one that is unknown is told with what may be meant', async () => {
    const { terminal, err } = await shown();
    await useProfile(terminal, 'home');
    expect(kept().current).toBe('home');
    expect(err()).toContain(terminal.t('cli.profiles.used', { profile: 'home' }));
    await expect(deleteProfile(terminal, 'home', {})).rejects.toMatchObject({
      messageKey: 'cli.usage.confirm',
    });
    await deleteProfile(terminal, 'work', { yes: true });
    expect(kept()).toMatchObject({ current: 'home', profiles: { home: {} } });
    expect(kept().profiles).not.toHaveProperty('work');
    await deleteProfile(terminal, 'home', { yes: true });
    expect(kept()).toEqual({ profiles: {} });
    await expect(useProfile(terminal, 'home')).rejects.toMatchObject({ params: { profiles: '-' } });
    keep({ work: { url: space.origin }, other: { url: space.origin } });
    await expect(useProfile(terminal, 'wrok')).rejects.toMatchObject({ params: { profiles: 'work' } });
    await expect(useProfile(terminal, 'zzzzzz')).rejects.toMatchObject({
      params: { profiles: 'work, other' },
    });
  });
});

describe('an access token', () => {
  const person = (expiresAt: number, refreshToken?: string) => ({
    ...{ kind: 'person', issuer: `${space.origin}/oidc`, clientId: 'cli', accessToken: 'worn', expiresAt },
    ...(refreshToken ? { refreshToken } : {}),
  });
  const now = Date.parse('2026-01-01T00:00:00Z');
  const provider = () => {
    space.replies['GET /oidc/.well-known/openid-configuration'] = {
      ...{ issuer: `${space.origin}/oidc`, token_endpoint: `${space.origin}/oidc/token` },
      ...{
        authorization_endpoint: `${space.origin}/oidc/auth`,
        revocation_endpoint: `${space.origin}/oidc/revoke`,
      },
    };
    space.replies['POST /oidc/token'] = {
      ...{ access_token: 'fresh', token_type: 'bearer', expires_in: 600 },
    };
    space.replies['POST /oidc/revoke'] = reply({ body: '' });
  };
  const call = async (expiresAt: number, refreshToken?: string) => {
    keep({ work: { url: space.origin, credential: person(expiresAt, refreshToken) } }, 'work');
    const { terminal } = await shown();
    const session = openSession({ ...terminal, now: () => now });
    const headers = await session.transport.headers!();
    return headers.authorization;
  };

  test.each([
    [30_001, 'Bearer worn'],
    [30_000, 'Bearer fresh'],
    [0, 'Bearer fresh'],
  ])('that ends in %i ms is sent as %s', async (left, expected) => {
    provider();
    expect(await call(now + left, 'r')).toBe(expected);
    if (expected === 'Bearer fresh')
      expect(kept().profiles.work.credential).toMatchObject({ accessToken: 'fresh', refreshToken: 'r' });
  });

  test('without a way to renew it, or with one that was withdrawn, asks to sign in', async () => {
    provider();
    await expect(call(now)).rejects.toMatchObject({ kind: 'sign-in-required' });
    space.replies['POST /oidc/token'] = reply({ status: 400, body: { error: 'invalid_grant' } });
    await expect(call(now, 'r')).rejects.toMatchObject({ kind: 'sign-in-required' });
    space.replies['POST /oidc/token'] = reply({ status: 500, body: {} });
    await expect(call(now, 'r')).rejects.toMatchObject({ kind: 'unreachable' });
  });

  test('is withdrawn with the sign-in, which ends also when that fails', async () => {
    provider();
    for (const broken of [false, true]) {
      if (broken) space.replies['POST /oidc/revoke'] = reply({ status: 500, body: {} });
      keep({ work: { url: space.origin, credential: person(now, 'r') } }, 'work');
      space.asked = [];
      await logout((await shown()).terminal);
      expect(space.asked.find((one) => one.call === 'POST /oidc/revoke')!.body).toContain('token=r');
      expect(kept().profiles.work).toEqual({ url: space.origin });
    }
    keep({ work: { url: space.origin, credential: person(now, 'r') } }, 'work');
    space.asked = [];
    await deleteProfile((await shown()).terminal, 'work', { yes: true });
    expect(space.calls).toContain('POST /oidc/revoke');
  });

  test('that cannot be renewed is deleted without asking the provider for anything', async () => {
    provider();
    keep({ work: { url: space.origin, credential: person(now) } }, 'work');
    space.asked = [];
    await logout((await shown()).terminal);
    expect(space.calls).toEqual([]);
    expect(kept().profiles.work).toEqual({ url: space.origin });
  });
});

test.each([
  [{ YAGURA_CONFIG_DIR: '/c', HOME: '/h' }, 'linux', '/c'],
  [{ APPDATA: '/a', HOME: '/h' }, 'win32', '/a/yagura'],
  [{ APPDATA: '/a', XDG_CONFIG_HOME: '/x', HOME: '/h' }, 'linux', '/x/yagura'],
  [{ HOME: '/h' }, 'linux', '/h/.config/yagura'],
  [{ HOME: '/h' }, 'darwin', '/h/Library/Application Support/yagura'],
] as const)('with %j on %s the settings are in %s', (env, platform, expected) => {
  expect(settingsFolder(env, platform)).toBe(expected);
});
