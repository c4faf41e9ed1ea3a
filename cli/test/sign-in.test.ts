import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServerProcess, startServer } from '@yagura/fixtures/testbed/server-process';
import { signInAs } from '@yagura/fixtures/testbed/sign-in-browser';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { collectOutput } from './collect-output.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

interface Run {
  child: ChildProcess;
  out(): string;
  err(): string;
  /** Exit code after the process ended. */
  ended: Promise<number | null>;
}

describe('a person at the terminal', { timeout: 120_000 }, () => {
  let lab: ServerProcess;
  let folder: string;
  const file = () => join(folder, 'profiles.json');
  const kept = () => JSON.parse(readFileSync(file(), 'utf8'));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'yagura-cli-'));
    lab = await startServer();
  }, 120_000);
  afterAll(async () => {
    await lab?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function run(...argv: string[]): Run {
    const child = spawn(process.execPath, [main, ...argv], {
      env: { PATH: process.env.PATH, YAGURA_CONFIG_DIR: folder, TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { output, ended } = collectOutput(child);
    return { child, out: () => output.out, err: () => output.err, ended };
  }

  async function address(login: Run): Promise<string> {
    return vi.waitFor(() => {
      const found = /^http\S+$/m.exec(login.err())?.[0];
      expect(found).toBeDefined();
      return found!;
    }, 20_000);
  }

  test('signs in with the browser, is known, and signs out', async () => {
    const login = run('login', lab.origin, '--no-browser');
    const page = await signInAs(await address(login), { email: lab.adminEmail, password: lab.adminPassword });
    expect(page).toContain('You are signed in');
    expect(await login.ended).toBe(0);
    const { credential } = kept().profiles.default;
    expect(credential).toMatchObject({ kind: 'person', clientId: 'yagura-cli' });
    expect(credential.refreshToken).toEqual(expect.any(String));
    expect(login.out() + login.err()).not.toContain(credential.accessToken);

    const who = run('whoami', '--json', 'email,credential');
    expect(await who.ended).toBe(0);
    expect(JSON.parse(who.out())).toEqual({ email: lab.adminEmail, credential: 'person' });
  });

  test('signs in by a code that is entered elsewhere', async () => {
    const login = run('login', lab.origin, '--device', '--profile', 'far');
    const there = await address(login);
    expect(there).toMatch(/\/oidc\/device\?user_code=[A-Z]{4}-[A-Z]{4}$/);
    const page = await signInAs(there, { email: lab.adminEmail, password: lab.adminPassword });
    expect(page).toContain('ターミナルでサインインしました');
    expect(await login.ended, login.err()).toBe(0);
    expect(kept().profiles.far.credential).toMatchObject({ kind: 'person', clientId: 'yagura-cli' });
    const forgotten = run('logout', '--profile', 'far');
    expect(await forgotten.ended).toBe(0);
    expect(await run('profiles', 'use', 'default').ended).toBe(0);
  });

  test('many commands at once renew a worn token without losing the sign-in', async () => {
    const profiles = kept();
    const worn = profiles.profiles.default.credential;
    profiles.profiles.default.credential = { ...worn, accessToken: 'worn', expiresAt: 0 };
    writeFileSync(file(), JSON.stringify(profiles));
    const runs = Array.from({ length: 5 }, () => run('space', 'space', 'show', '--json', 'displayName'));
    expect(await Promise.all(runs.map(({ ended }) => ended)), runs.map(({ err }) => err()).join('')).toEqual([
      0, 0, 0, 0, 0,
    ]);
    const fresh = kept().profiles.default.credential;
    expect(fresh.accessToken).not.toBe('worn');
    expect(fresh.refreshToken).not.toBe(worn.refreshToken);
  });

  test('a token that was withdrawn early is renewed as well', async () => {
    const profiles = kept();
    profiles.profiles.default.credential.accessToken = 'withdrawn';
    writeFileSync(file(), JSON.stringify(profiles));
    const show = run('space', 'space', 'show', '--json', 'displayName');
    expect(await show.ended, show.err()).toBe(0);
  });

  test('watches alerts live, and Ctrl-C ends with 130', async () => {
    const watch = run('alerts', '--watch', '--every', '10');
    const made = run('scopes', 'create', '--display-name', 'Live', '--thresholds.incident', '3');
    expect(await made.ended).toBe(0);
    const raised = run('events', 'create', '--scope', 'Live', '--delta', '4');
    expect(await raised.ended, raised.err()).toBe(0);
    await vi.waitFor(() => expect(watch.out()).toMatch(/^incident\t\S+\tLive\t4\t/m), 15_000);
    watch.child.kill('SIGINT');
    expect(await watch.ended).toBe(130);
    expect(watch.err()).toBe('');
  });

  test('a stream of alerts tells a recovery with the event that recovered', async () => {
    const made = run('scopes', 'create', '--display-name', 'Stream', '--thresholds.incident', '3');
    expect(await made.ended).toBe(0);
    const raise = (delta: string) => run('events', 'create', '--scope', 'Stream', '--delta', delta).ended;
    expect(await raise('4')).toBe(0);
    const watch = run('alerts', '--watch', '--every', '10', '-o', 'ndjson');
    const told = () =>
      watch
        .out()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
        .filter(({ displayName }) => displayName === 'Stream');
    await vi.waitFor(() => expect(told()).toHaveLength(1), 30_000);
    expect(told()[0]).toMatchObject({ status: 'incident', severity: 4, lastEvent: { delta: 4 } });
    expect(await raise('-4')).toBe(0);
    await vi.waitFor(() => expect(told()).toHaveLength(2), 30_000);
    expect(told()[1]).toMatchObject({ status: 'normal', severity: 0, lastEvent: { delta: -4, severity: 0 } });
    const gone = run('scopes', 'create', '--display-name', 'Gone', '--thresholds.incident', '3');
    expect(await gone.ended).toBe(0);
    expect(await run('events', 'create', '--scope', 'Gone', '--delta', '4').ended).toBe(0);
    const ofGone = () =>
      watch
        .out()
        .split('\n')
        .filter((line) => line.includes('"Gone"'));
    await vi.waitFor(() => expect(ofGone()).toHaveLength(1), 30_000);
    expect(await run('scopes', 'delete', 'Gone', '--yes').ended).toBe(0);
    await vi.waitFor(() => expect(ofGone()).toHaveLength(2), 30_000);
    expect(JSON.parse(ofGone()[1]!)).toMatchObject({ status: 'normal', severity: 0, lastEvent: null });
    watch.child.kill('SIGINT');
    expect(await watch.ended).toBe(130);
  });

  test('a sign-in that has ended says so, and asks to sign in', async () => {
    const profiles = kept();
    const { credential } = profiles.profiles.default;
    profiles.profiles.ended = {
      ...profiles.profiles.default,
      credential: { ...credential, accessToken: 'worn', refreshToken: 'withdrawn', expiresAt: 0 },
    };
    writeFileSync(file(), JSON.stringify(profiles));
    for (const words of [['scopes', 'list'], ['scopes', 'list', '--json', 'scopeId'], ['alerts']]) {
      const list = run(...words, '--profile', 'ended');
      expect(await list.ended, list.err()).toBe(4);
      expect(list.out()).toBe('');
      if (words.includes('--json'))
        expect(JSON.parse(list.err())).toMatchObject({ type: 'urn:yagura:problem:sign-in-required' });
      else expect(list.err()).toContain('Run: yagura login');
    }
    // The other profile is unaffected.
    expect(kept().profiles.default.credential).toEqual(credential);
  });

  test('Ctrl-C while the browser is awaited keeps nothing', async () => {
    const login = run('login', lab.origin, '--no-browser', '--profile', 'given-up');
    await address(login);
    login.child.kill('SIGINT');
    expect(await login.ended).toBe(130);
    expect(kept().profiles['given-up']).toBeUndefined();
  });

  test('who comes back without our state is not heard', async () => {
    const login = run('login', lab.origin, '--no-browser', '--profile', 'forged');
    const sent = await address(login);
    const redirect = new URL(new URL(sent).searchParams.get('redirect_uri')!);
    redirect.search = '?code=stolen&state=forged';
    expect((await fetch(redirect)).status).toBe(404);
    await signInAs(sent, { email: lab.adminEmail, password: lab.adminPassword });
    expect(await login.ended, login.err()).toBe(0);
  });

  test('a refused sign-in is told', async () => {
    const login = run('login', lab.origin, '--no-browser', '--profile', 'refused');
    const sent = new URL(await address(login));
    const redirect = new URL(sent.searchParams.get('redirect_uri')!);
    redirect.search = `?iss=${encodeURIComponent(`${lab.origin}/oidc`)}&error=access_denied&error_description=Not+today&state=${sent.searchParams.get('state')}`;
    expect(await (await fetch(redirect)).text()).toContain('Sign-in failed');
    expect(await login.ended).toBe(4);
    expect(login.err()).toContain('Not today');
    expect(kept().profiles.refused).toBeUndefined();
  });

  test('filters a reply of the API', async () => {
    const path = '/api/apps/alerthub/scopes';
    const list = run(
      'api',
      'GET',
      path,
      '--paginate',
      '--jq',
      '.total == (.items | length)',
      '--profile',
      'default',
    );
    expect(await list.ended, list.err()).toBe(0);
    expect(list.out()).toBe('true\n');
  });

  test('deletes a profile after a confirmation', async () => {
    const asked = run('profiles', 'delete', 'far');
    expect(await asked.ended).toBe(2);
    expect(asked.err()).toContain('--yes');
    expect(kept().profiles.far).toBeDefined();
    const deleted = run('profiles', 'delete', 'far', '--yes');
    expect(await deleted.ended, deleted.err()).toBe(0);
    expect(Object.keys(kept().profiles)).not.toContain('far');
    const again = run('profiles', 'delete', 'far', '--yes');
    expect(await again.ended).toBe(2);
    expect(again.err()).toContain('far');
  });

  test('signs out, here and at the provider', async () => {
    const { credential } = kept().profiles.default;
    const logout = run('logout', '--profile', 'default');
    expect(await logout.ended, logout.err()).toBe(0);
    expect(kept().profiles.default.credential).toBeUndefined();
    const who = run('whoami', '--profile', 'default');
    expect(await who.ended).toBe(4);
    const reply = await fetch(`${credential.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: credential.clientId,
        refresh_token: credential.refreshToken,
      }),
    });
    expect(reply.status).toBe(400);
  });
});
