import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runDoctor } from '../src/doctor.ts';
import type { Credential } from '../src/signin/profiles.ts';
import { testTerminal } from './test-terminal.ts';

const now = Date.parse('2026-01-01T00:00:00.000Z');
const hourMs = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'yagura-cli-'));
let origin: string;
/** How the server answers, and what its clock says. */
let status = 200;
let serverTime = now;

const server = createServer((request, response) => {
  const answer =
    request.url === '/api/space' && status !== 200 ? { status, title: 'Refused' } : { line: null };
  response.writeHead(request.url === '/api/space' ? status : 200, {
    'content-type': 'application/json',
    date: new Date(serverTime).toUTCString(),
  });
  response.end(JSON.stringify(answer));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** The findings about one subject, and whether the command failed. */
async function findings(check: string, credential: Credential = { kind: 'token', token: 't' }) {
  const profile = { url: origin, credential };
  writeFileSync(join(folder, 'profiles.json'), JSON.stringify({ current: 'a', profiles: { a: profile } }), {
    mode: 0o600,
  });
  const { terminal, out } = await testTerminal({ env: { YAGURA_CONFIG_DIR: folder } });
  const failure: unknown = await runDoctor({ ...terminal, now: () => now }, { output: 'json' }).catch(
    (error: unknown) => error,
  );
  const all = JSON.parse(out()) as { check: string; state: string; found: string; remedy: string }[];
  return { found: all.filter((one) => one.check === check), failed: failure !== undefined };
}

const person = (expiresIn: number, refreshToken?: string): Credential => ({
  kind: 'person',
  issuer: `${origin}/oidc`,
  clientId: 'cli',
  accessToken: 'a',
  ...(refreshToken ? { refreshToken } : {}),
  expiresAt: now + expiresIn,
});

test.each([
  ['that is renewed', () => person(hourMs, 'r'), 'good', /^$/],
  ['that ends by itself', () => person(hourMs), 'attention', /^$/],
  ['that has ended', () => person(0), 'bad', /yagura login/],
  ['of an API token', (): Credential => ({ kind: 'token', token: 't' }), 'good', /^$/],
])('tells the state of a sign-in %s', async (_what, credential, state, remedy) => {
  const { found, failed } = await findings('credential', credential());
  expect(found).toEqual([expect.objectContaining({ state, remedy: expect.stringMatching(remedy) })]);
  expect(failed).toBe(state === 'bad');
});

test.each([
  [30_000, 'good', '+30 s', /^$/],
  [31_000, 'bad', '+31 s', /clock/i],
  [-31_000, 'bad', '-31 s', /clock/i],
])('a clock that is ahead by %d ms is %s', async (ahead, state, said, remedy) => {
  serverTime = now - ahead;
  const { found, failed } = await findings('clock');
  expect(found).toEqual([{ check: 'clock', state, found: said, remedy: expect.stringMatching(remedy) }]);
  expect(failed).toBe(state === 'bad');
  serverTime = now;
});

test.each([
  [401, 'bad'],
  [500, 'bad'],
  // The user may not read the space, but is known.
  [403, 'good'],
])('an answer of %d makes the credential %s', async (answered, state) => {
  status = answered;
  const { found } = await findings('credential');
  expect(found).toEqual([expect.objectContaining({ state })]);
  status = 200;
});

describe('the way to the space', () => {
  const all = async (env: Record<string, string>) => {
    const { terminal, out } = await testTerminal({ env });
    const failure = await runDoctor({ ...terminal, now: () => now }, { output: 'json' }).catch(
      (error: { params?: object }) => error.params,
    );
    const found = JSON.parse(out()) as { check: string; state: string; found: string; remedy: string }[];
    return { found, failure, states: found.map(({ check, state }) => `${check} ${state}`), t: terminal.t };
  };
  const environment = (settings: string) => ({
    YAGURA_CONFIG_DIR: settings,
    YAGURA_URL: origin,
    YAGURA_TOKEN: 't',
  });

  test('has every check in its order when all is well', async () => {
    const settings = mkdtempSync(join(folder, 'empty-'));
    const { states, found, failure } = await all(environment(settings));
    expect(states).toEqual([
      ...['node good', 'settings good', 'profile good', 'reach good', 'clock good', 'credential good'],
    ]);
    expect(failure).toBeUndefined();
    const file = join(settings, 'profiles.json');
    expect(found[1]).toEqual({ check: 'settings', state: 'good', found: file, remedy: '' });
    expect(found[2]!.found).toBe(`-  ${origin}`);
    expect(found[3]!.found).toMatch(/^\d+ ms$/);
  });

  test('warns of profiles that others can read', async () => {
    const settings = mkdtempSync(join(folder, 'open-'));
    writeFileSync(join(settings, 'profiles.json'), '{"profiles": {}}', { mode: 0o644 });
    const { found, failure, t } = await all(environment(settings));
    expect(found[1]).toMatchObject({ state: 'bad', remedy: t('cli.doctor.settings-open') });
    expect(failure).toEqual({ count: 1 });
  });

  test('ends where nobody is signed in, and where nothing answers', async () => {
    const settings = mkdtempSync(join(folder, 'none-'));
    const nobody = await all({ YAGURA_CONFIG_DIR: settings });
    expect(nobody.states.slice(2)).toEqual(['profile bad']);
    expect(nobody.found[2]!.remedy).toBe(nobody.t('cli.sign-in-hint'));
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const away = await all({ ...environment(settings), YAGURA_URL: `http://127.0.0.1:${port}` });
    expect(away.states.slice(2)).toEqual(['profile good', 'reach bad']);
    expect(away.found[3]).toMatchObject({
      found: expect.stringContaining('ECONNREFUSED'),
      remedy: away.t('cli.doctor.reach-remedy'),
    });
  });

  const fromProfile = (settings: string) => {
    const profile = { url: origin, credential: { kind: 'token', token: 't' } };
    const profiles = { current: 'own', profiles: { own: profile } };
    writeFileSync(join(settings, 'profiles.json'), JSON.stringify(profiles), { mode: 0o600 });
    return { YAGURA_CONFIG_DIR: settings };
  };

  test.each([
    [401, 'the environment', environment, 'cli.token-hint'],
    [401, 'a profile', fromProfile, 'cli.sign-in-hint'],
    [500, 'the environment', environment, 'cli.doctor.refused-remedy'],
  ] as const)(
    'that ends with %i for a token of %s is open, and the remedy fits',
    async (answered, _from, environmentOf, remedy) => {
      status = answered;
      const { found, states, t } = await all(environmentOf(mkdtempSync(join(folder, 'refused-'))));
      status = 200;
      expect(states.slice(2)).toEqual(['profile good', 'reach good', 'credential bad']);
      expect(found[4]!.remedy).toBe(t(remedy));
    },
  );
});
