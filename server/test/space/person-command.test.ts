// The command that restores a user's access: while the server runs on PostgreSQL, or while it is stopped on
// the embedded engine.
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { personCommand } from '../../src/commands/person-command.ts';
import { CommandRefused } from '../../src/common/command-refused.ts';
import { ConfigError } from '../../src/config/config.ts';
import { createApiCall } from '../support/api-request.ts';
import {
  Browser,
  createOidcClient,
  type IdentityServer,
  password,
  signIn,
} from '../support/identity-server.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

describe.each(storeKinds)('on %s', (engine) => {
  let testServer: TestServer | null;
  let env: Record<string, string>;
  beforeAll(async () => {
    testServer = await startTestServer({
      engine,
      prepare: async (place) => {
        env = { ...place.env, YAGURA_PUBLIC_URL: 'https://console.example' };
      },
    });
  });
  beforeEach((context) => {
    if (!testServer) context.skip();
  });
  afterAll(() => testServer?.stop());

  async function command(...args: string[]): Promise<string> {
    const lines: string[] = [];
    const run = () => personCommand({ args, env, log: () => {}, print: (line) => void lines.push(line) });
    if (engine === 'embedded') {
      let failed: unknown;
      await testServer!.restart({}, () =>
        run().catch((error: unknown) => {
          failed = error;
        }),
      );
      if (failed) throw failed;
    } else await run();
    return lines.join('\n');
  }

  const person = async (name: string) => {
    const { identity } = testServer!.services;
    const email = `${name}@example.org`;
    return identity.createUser({ email, displayName: name, roles: ['pigeon:operator'], password });
  };
  const server = () => ({ publicUrl: testServer!.origin }) as IdentityServer;
  async function attempt(email: string, given: string, browser = new Browser()) {
    const oidcClient = await createOidcClient(server());
    return browser.submit(await browser.visit(await oidcClient.start()), { email, password: given });
  }
  const audited = async (userId: string) => {
    const { rows } = await testServer!.services.database.query<{
      action: string;
      actor: string;
      row: string;
    }>(
      `select action, actor_name as actor, to_jsonb(a)::text as row from audit_record a
       where resource = 'user' and resource_id = $1 and actor_kind = 'server' order by number`,
      [userId],
    );
    return rows;
  };

  test('a new password is printed once, lets in although wrong ones were tried, and ends what was open', async () => {
    const { email, userId } = await person('reset');
    const { bearer } = await signIn(server(), email);
    for (let guess = 0; guess < 5; guess++) await attempt(email, 'Wrong-horse-7');
    expect((await attempt(email, password)).status).toBe(429);
    const said = await command('reset', email.toUpperCase());
    expect(said).toContain('Sign in at https://console.example as reset@example.org');
    const [, given] = /with the password (\S+) /.exec(said)!;
    expect((await attempt(email, password)).status).toBe(400);
    expect((await attempt(email, given!)).url.searchParams.has('code')).toBe(true);
    await expect
      .poll(
        () =>
          testServer!.services.identity.authenticate(bearer).then(
            () => 'in',
            () => 'out',
          ),
        { timeout: 10_000 },
      )
      .toBe('out');
    const [record] = await audited(userId);
    expect(record).toMatchObject({ action: 'reset-password', actor: 'yagura-server' });
    expect(record!.row).not.toContain(given!);
    expect(await testServer!.services.audit.verify()).toMatchObject({ intact: true });
  });

  test('a link sets a password once, and stands hashed in the store', async () => {
    const { email, userId } = await person('linked');
    const said = await command('reset', email, '--link');
    const [, token] = /\/change-password\?token=(\S+) /.exec(said)!;
    const browser = new Browser();
    const page = await browser.visit(`${testServer!.origin}/change-password?token=${token}`);
    const better = 'Purple-lantern-42-boat';
    await browser.submit(page, { password: better, repeat: better });
    expect((await attempt(email, better)).url.searchParams.has('code')).toBe(true);
    const [record] = await audited(userId);
    expect(record!.action).toBe('reset-link');
    expect(record!.row).not.toContain(token!);
  });

  test('a lost second factor is removed, with passkeys when asked', async () => {
    const { email, userId } = await person('factor');
    const { bearer } = await signIn(server(), email);
    const callApi = createApiCall({ fetch, origin: testServer!.origin, headers: () => bearer });
    const mfa = '/api/internal/profile/mfa';
    const { secret } = (await callApi('POST', `${mfa}/prepare`, { password })).data as { secret: string };
    const on = await callApi('PUT', mfa, { enabled: true, code: new TOTP({ secret }).generate() });
    expect(on.status, on.text).toBe(200);
    expect((await attempt(email, password)).text).toContain('id="code"');
    await testServer!.services.database.query(
      `insert into passkey (passkey_id, space_id, user_id, display_name, credential_id, public_key, counter, synced, created_at, updated_at)
       values ($1, $2, $1, 'Laptop', 'laptop', '\\x03', 0, false, now(), now())`,
      [userId, testServer!.services.spaceId],
    );
    expect(await command('second-factor', email)).toContain('Passkeys deleted: 0, remaining: 1');
    expect(await command('second-factor', email, '--passkeys')).toContain(
      'Passkeys deleted: 1, remaining: 0',
    );
    expect((await attempt(email, password)).url.searchParams.has('code')).toBe(true);
    await expect(command('second-factor', email)).rejects.toThrow('has no second factor');
    expect((await audited(userId)).map(({ action }) => action)).toEqual([
      'remove-second-factor',
      'remove-second-factor',
    ]);
  });

  test('an address is moved without a mail, unless it is taken', async () => {
    const { email, userId } = await person('moving');
    await person('taken');
    await expect(command('move', email, 'TAKEN@example.org')).rejects.toThrow(
      'TAKEN@example.org: is the email address of another user',
    );
    await expect(command('move', email, 'no address')).rejects.toBeInstanceOf(CommandRefused);
    await command('move', email, 'moved@example.org');
    expect((await attempt('moved@example.org', password)).url.searchParams.has('code')).toBe(true);
    expect(await audited(userId)).toMatchObject([{ action: 'move-email' }]);
  });

  test.each([
    [[], 'person: a subcommand is required'],
    [['forget', 'a@b.c'], 'person forget: unknown subcommand'],
    [['reset'], 'EMAIL: the email address'],
    [['reset', 'a@b.c', 'd@e.f'], 'person reset: wrong arguments'],
    [['move', 'a@b.c'], 'person move: wrong arguments'],
    [['move', 'a@b.c', 'd@e.f', '--link'], '--link: only'],
    [['reset', 'a@b.c', '--passkeys'], '--passkeys: only'],
    [['reset', 'a@b.c', '--nothing'], '--nothing'],
  ])('%j is refused before the store is opened', async (args, reason) => {
    const run = personCommand({
      args,
      env: { YAGURA_DATA: '/nowhere/at/all' },
      log: () => {},
      print: () => {},
    });
    await expect(run).rejects.toThrow(reason);
    await expect(run).rejects.toBeInstanceOf(ConfigError);
  });

  test('says who is not there', async () => {
    await expect(command('reset', 'nobody@example.org')).rejects.toThrow('No user of this space');
    await expect(command('reset', 'nobody@example.org', '--space', 'other.example')).rejects.toThrow(
      'No space has the host name other.example',
    );
  });

  test('waits for its turn on the embedded engine: a running server has the folder', async (context) => {
    if (engine !== 'embedded') return context.skip();
    const run = personCommand({ args: ['reset', 'a@b.c'], env, log: () => {}, print: () => {} });
    await expect(run).rejects.toThrow('Stop the server, run this command again');
  });
});
