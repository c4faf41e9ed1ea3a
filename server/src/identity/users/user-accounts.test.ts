import { Problem } from '@yagura/core/http/problem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  Browser,
  createOidcClient,
  type IdentityServer,
  password,
  signIn,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';
import type { ExternalSettings } from '../external/external-settings.ts';
import { createIdentity } from '../identity.ts';
import { keyTimes } from '../tokens/signing-keys.ts';

let server: IdentityServer;
const printed: string[] = [];
beforeAll(async () => {
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts) => void printed.push(parts.join(' ')));
  }
  server = (await startIdentityServer())!;
}, 60_000);
afterAll(async () => {
  vi.restoreAllMocks();
  await server.close();
});

describe('the first person', () => {
  test('of an empty space gets a readable password once, and later starts change nothing', async () => {
    const email = 'admin@yagura.local';
    const first = await server.identity.ensureInitialAdmin({ email });
    expect(first).toMatchObject({ created: true, email });
    expect(first.password).toMatch(/^(?=.*\d)(?=.*[a-z])[A-Za-z2-9]{5}(-[A-Za-z2-9]{5}){3}$/i);
    const again = await server.identity.ensureInitialAdmin({
      email: 'else@example.com',
      password: 'Ignored-word-1',
    });
    expect(again).toEqual({ created: false, email });
    expect(await server.identity.findUser({ email: 'ADMIN@yagura.local' })).toMatchObject({
      privileged: true,
      roles: [],
      disabled: false,
      hasPassword: true,
    });
    const browser = new Browser();
    const page = await browser.visit(await (await createOidcClient(server)).start());
    const landing = await browser.submit(page, { email, password: first.password! });
    expect(landing.url.searchParams.has('code')).toBe(true);
  });

  test('is the last privileged one, who can be neither demoted nor disabled', async () => {
    const { userId } = (await server.identity.findUser({ email: 'admin@yagura.local' }))!;
    for (const change of [{ privileged: false }, { disabled: true }]) {
      await expect(server.identity.updateUser(userId, change)).rejects.toThrow('last privileged user');
    }
    const second = await server.identity.createUser({
      email: 'second@example.com',
      displayName: 'Second',
      privileged: true,
    });
    expect(await server.identity.updateUser(second.userId, { privileged: false })).toMatchObject({
      privileged: false,
    });
  });
});

describe('a person', () => {
  test.each<[string, object, string[]]>([
    ['no email', { displayName: 'X' }, ['email']],
    ['an email that is none', { email: 'x', displayName: 'X' }, ['email']],
    ['no name', { email: 'x@example.com', displayName: '  ' }, ['displayName']],
    ['an unknown role', { email: 'x@example.com', displayName: 'X', roles: ['king'] }, ['roles.0']],
    ['two faults', { email: 'x', displayName: '' }, ['email', 'displayName']],
    ['a short password', { email: 'x@example.com', displayName: 'X', password: 'a1-b2' }, ['password']],
    [
      'a password without a digit',
      { email: 'x@example.com', displayName: 'X', password: 'abcdefg-h' },
      ['password'],
    ],
    [
      'a password without a symbol',
      { email: 'x@example.com', displayName: 'X', password: 'abcdefg12' },
      ['password'],
    ],
    [
      'a password without a letter',
      { email: 'x@example.com', displayName: 'X', password: '1234567-8' },
      ['password'],
    ],
    [
      'an endless password',
      { email: 'x@example.com', displayName: 'X', password: 'a1-'.repeat(100) },
      ['password'],
    ],
  ])('with %s is refused by name', async (_name, input, fields) => {
    const creating = server.identity.createUser(input as never);
    await expect(creating).rejects.toThrow(Problem);
    await creating.catch((problem: Problem) => {
      expect(problem.status).toBe(400);
      expect(problem.invalidParams.map(({ name }) => name)).toEqual(fields);
    });
  });

  test('has an address of their own, whatever its case', async () => {
    await server.identity.createUser({ email: 'ken@example.com', displayName: 'Ken' });
    await expect(
      server.identity.createUser({ email: 'KEN@example.com', displayName: 'Ken' }),
    ).rejects.toThrow(expect.objectContaining({ constraint: 'person_email' }));
    const { userId } = await server.identity.createUser({ email: 'yui@example.com', displayName: 'Yui' });
    await expect(server.identity.updateUser(userId, { email: 'Ken@Example.com' })).rejects.toThrow(
      expect.objectContaining({ constraint: 'person_email' }),
    );
    expect(await server.identity.updateUser(userId, { displayName: '結衣' })).toMatchObject({
      displayName: '結衣',
      email: 'yui@example.com',
    });
  });

  test.each(['01990000-0000-7000-8000-000000000000', 'no id', ''])('%j is nobody', async (userId) => {
    expect(await server.identity.findUser(userId)).toBeNull();
    expect(await server.identity.updateUser(userId, { displayName: 'X' })).toBeNull();
    expect(await server.identity.setPassword(userId, password)).toBe(false);
  });

  test('with a new password is signed out everywhere and signs in with the new one only', async () => {
    const email = 'moving@example.com';
    const { userId } = await server.identity.createUser({ email, displayName: 'Moving', password });
    const { bearer, browser, relying } = await signIn(server, email);
    await server.identity.setPassword(userId, 'Ｗｉｄｅ-horse-9');
    await expect(server.identity.authenticate(bearer)).rejects.toThrow('Sign-in required');
    const silent = await browser.visit(await relying.start({ prompt: 'none' }));
    expect(silent.url.searchParams.get('error')).toBe('login_required');
    const page = await browser.visit(await relying.start());
    expect((await browser.submit(page, { email, password })).status).toBe(400);
    // The same password typed with another input method.
    const landing = await browser.submit(page, { email, password: 'Wide-horse-9' });
    expect(landing.url.searchParams.has('code')).toBe(true);
  });

  test('keeps the old password and the sessions when the sessions cannot be ended, and the cause is told', async () => {
    const email = 'staying@example.com';
    const { userId } = await server.identity.createUser({ email, displayName: 'Staying', password });
    const { bearer } = await signIn(server, email);
    await server.database.query(
      `alter table person add constraint sessions_last check (user_id <> '${userId}' or token_epoch = 0) not valid`,
    );
    const changing = server.identity.setPassword(userId, 'Wide-horse-9');
    await expect(changing).rejects.toMatchObject({ constraint: 'sessions_last' });
    await server.database.query('alter table person drop constraint sessions_last');
    expect(await server.identity.authenticate(bearer)).toMatchObject({ email });
    expect((await signIn(server, email)).tokens.access_token).toBeTruthy();
  });
});

test('no password, token, code or cookie is in any log line, nor does the library print anything', async () => {
  const email = 'canary@example.com';
  const canary = 'Canary-in-the-mine-1';
  const { userId } = await server.identity.createUser({ email, displayName: 'Canary', password: canary });
  const browser = new Browser();
  const oidcClient = await createOidcClient(server);
  const page = await browser.visit(await oidcClient.start());
  await browser.submit(page, { email: canary, password: 'Wrong-canary-2' });
  const landing = await browser.submit(page, { email, password: canary });
  const tokens = await oidcClient.finish(landing);
  const principal = await server.identity.authenticate({ authorization: `Bearer ${tokens.access_token}` });
  const { token } = await server.identity.createApiToken({
    principal,
    displayName: 'canary',
    roles: null,
    expiresAt: null,
  });
  await server.identity.authenticate({ 'x-authorization': `Token ${token}` });
  const body = { grant_type: 'refresh_token', client_id: 'yagura-web', refresh_token: tokens.refresh_token! };
  for (let use = 0; use < 2; use++) {
    await fetch(`${server.publicUrl}/oidc/token`, { method: 'POST', body: new URLSearchParams(body) });
    server.clock.advance(60_000);
  }
  await server.identity.setPassword(userId, 'Canary-in-the-mine-2');

  const everything = JSON.stringify(server.logLines) + printed.join('\n');
  expect(server.logLines.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      'Signed in',
      'Sign-in failed',
      'A code or refresh token was used twice; its sign-in is ended',
    ]),
  );
  const secrets = [
    canary,
    'Wrong-canary-2',
    'Canary-in-the-mine-2',
    token,
    tokens.access_token,
    tokens.refresh_token!,
    tokens.id_token!,
    landing.url.searchParams.get('code')!,
    ...[...browser.jar.values()].map(({ value }) => value),
  ];
  for (const secret of secrets) expect(everything).not.toContain(secret);
  expect(printed).toEqual([]);
});

test.each([
  ['mail', {}],
  ['command', { mail: { queue: async () => {}, wake: () => {}, canSend: false } }],
  [
    'none',
    { external: { name: 'Company', issuer: 'http://127.0.0.1:9', passwords: false } as ExternalSettings },
  ],
])('users without a password get one by: %s', async (way, options) => {
  const identity = await createIdentity({ ...server.options, ...options });
  expect(identity.newPasswords).toBe(way);
  await identity.close();
});

describe('maintenance', () => {
  const tables = [
    'oidc_payload',
    'signin_budget',
    'known_device',
    'remembered_browser',
    'sign_in_session',
    'one_time_token',
    'invitation',
  ];
  const filled = async () => {
    const counts = await Promise.all(
      tables.map(async (table) => ({
        table,
        count: (await server.database.query(`select 1 from ${table} limit 1`)).rows.length,
      })),
    );
    return counts.filter(({ count }) => count > 0).map(({ table }) => table);
  };

  test('deletes everything that is over, in a minute, with the retention of the audit log', async () => {
    const email = 'over@example.com';
    const { userId } = await server.identity.createUser({ email, displayName: 'Over', password });
    await signIn(server, email);
    await server.database.query(
      `insert into person_totp (user_id, space_id, sealed, created_at, enabled_at)
       select user_id, space_id, '', now(), now() from person where user_id = $1`,
      [userId],
    );
    await server.identity.totp.remember(userId);
    await server.identity.passkeys.creationOptions({ userId, email, displayName: 'Over' });
    const by = { userId, displayName: 'Over' };
    const invited = { email: 'invited@example.com', roles: [], language: 'en' as const };
    await server.database.transaction((tx) => server.identity.invite(tx, by, invited));
    expect(await filled()).toEqual(tables);
    let retentions = 0;
    const audit = { ...server.options.audit, applyRetention: async () => void retentions++ };
    const old = server.identity;
    await old.close();
    server.identity = await createIdentity({ ...server.options, audit });
    const keysNow = async () => {
      const reply = await fetch(`${server.publicUrl}/oidc/jwks`);
      return ((await reply.json()) as { keys: unknown[] }).keys.length;
    };
    expect(await keysNow()).toBe(2);
    server.clock.jump(200 * 86_400_000);
    server.clock.advance(59_999);
    expect([await filled(), retentions]).toEqual([tables, 0]);
    server.clock.advance(1);
    // The keys are published anew at the end of it.
    await expect.poll(keysNow, { timeout: 20_000 }).toBe(4);
    expect([await filled(), retentions]).toEqual([[], 1]);
  });

  test('that fails is tried again in a minute, and stops with the identity', async () => {
    await server.identity.close();
    let attempts = 0;
    const audit = {
      ...server.options.audit,
      async applyRetention() {
        attempts += 1;
        throw new Error('no retention');
      },
    };
    const identity = await createIdentity({ ...server.options, audit });
    server.logLines.length = 0;
    for (let minute = 1; minute <= 2; minute++) {
      server.clock.advance(60_000);
      await expect.poll(() => server.logLines.length).toBe(minute);
    }
    expect(server.logLines[0]).toMatchObject({
      ...{ message: 'Identity was not tidied', steps: ['audit-retention'], error: 'no retention' },
    });
    await identity.close();
    server.clock.advance(600_000);
    expect(attempts).toBe(2);
  });

  test('goes on after a step that fails: keys are replaced while the audit log cannot be tidied', async () => {
    const audit = {
      ...server.options.audit,
      applyRetention: () => Promise.reject(new Error('The anchor cannot be written')),
    };
    const identity = await createIdentity({ ...server.options, audit });
    const newestKey = async () => {
      const { rows } = await server.database.query<{ at: string }>(
        'select max(created_at) as at from oidc_key where space_id = $1',
        [server.spaceId],
      );
      return Date.parse(rows[0]!.at);
    };
    server.clock.jump(keyTimes.signsFor);
    expect(await newestKey()).toBeLessThan(server.clock.now());
    server.logLines.length = 0;
    await identity.cleanup();
    expect(await newestKey()).toBe(server.clock.now());
    expect(server.logLines).toMatchObject([
      { steps: ['audit-retention'], error: 'The anchor cannot be written' },
    ]);
    await identity.close();
  });
});
