// All sessions of a user end while a request of the provider is between two statements: nothing that it stores
// afterwards may sign anybody in.
import { EventEmitter, once } from 'node:events';
import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addSpace,
  Browser,
  type BrowserPage,
  createOidcClient,
  type IdentityServer,
  type OidcClient,
  password,
  signIn,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';
import { hasPostgresql } from '../../../test/support/test-postgresql.ts';
import { createStoreWithTables } from '../../../test/support/test-store.ts';
import { createIdSource } from '../../common/id.ts';
import type { Database, Statement } from '../../db/database.ts';
import { createIdentity, type Identity } from '../identity.ts';
import type { IdentityContext } from '../identity-context.ts';
import { payloadAdapter } from '../provider/payload-adapter.ts';
import { createRequestFindings } from '../provider/request-findings.ts';
import { createUserAccounts } from '../users/user-accounts.ts';

let server: IdentityServer;
let plain: Identity;
/** Runs once, before the provider stores an item of `model`, after the first `skip` times. */
let before: { model: string; skip?: number; run(): Promise<unknown> } | undefined;
let names = 0;

beforeAll(async () => {
  server = (await startIdentityServer())!;
  plain = server.identity;
  const { database } = server.options;
  const watched: Database = {
    ...database,
    async query(statement: Statement, values?: unknown[]) {
      const name = typeof statement === 'string' ? '' : statement.name;
      if (before && name === 'identity_payload_upsert' && values?.[1] === before.model) {
        const { run, skip = 0 } = before;
        before = skip > 0 ? { ...before, skip: skip - 1 } : undefined;
        if (!before) await run();
      }
      return database.query(statement, values);
    },
  };
  server.identity = await createIdentity({ ...server.options, database: watched });
  await plain.createUser({ email: 'admin@example.com', displayName: 'Admin', privileged: true });
}, 60_000);
afterAll(async () => {
  await server.identity.close();
  await server.close();
});
beforeEach(() => {
  before = undefined;
  server.address = `198.51.100.${++names}`;
});

const runTransaction: Database['transaction'] = (work) => server.database.transaction(work);
const changed = 'Better-horse-8';
const ends = {
  'a new password': (userId: string) =>
    plain.changeOwnPassword(userId, { password: changed, language: 'en' }, runTransaction),
  'the end of all sessions': (userId: string) => plain.endSessions(userId, runTransaction),
  'the suspension of the user': (userId: string) => plain.updateUser(userId, { disabled: true }),
  'the deletion of the user': (userId: string) => plain.removeUser(userId),
};
const everyEnd = Object.entries(ends);

async function addUser() {
  const email = `person${names}@example.com`;
  return plain.createUser({ email, displayName: 'Person', password });
}

const stored = async (userId: string) => {
  const { rows } = await server.database.query<{ model: string }>(
    `select model from oidc_payload where payload->>'accountId' = $1 or payload #>> '{result,login,accountId}' = $1`,
    [userId],
  );
  return rows.map(({ model }) => model);
};

/** Tokens from where a sign-in has led; null when it has not led back to the client with a code. */
async function tokensOf(relying: OidcClient, landing: BrowserPage) {
  if (!landing.url.searchParams.has('code')) return null;
  return relying.finish(landing).catch((error: unknown) => {
    expect(error).toBeInstanceOf(client.ResponseBodyError);
    return null;
  });
}

/** Nobody is signed in as the user: not by a token, not in this browser, and nothing is stored that would do it. */
async function expectSignedOut(userId: string, browser: Browser, accessToken?: string): Promise<void> {
  expect(before).toBeUndefined();
  if (accessToken !== undefined)
    await expect(
      server.identity.authenticate({ authorization: `Bearer ${accessToken}` }),
    ).rejects.toMatchObject({ kind: 'sign-in-required' });
  expect(await stored(userId)).toEqual([]);
  const silent = await browser.visit(await (await createOidcClient(server)).start({ prompt: 'none' }));
  expect(silent.url.searchParams.get('error')).toBe('login_required');
}

describe.each(everyEnd)('%s ends a sign-in', (_name, end) => {
  test.each(['Interaction', 'Grant', 'AuthorizationCode', 'Session', 'RefreshToken'])(
    'that is about to store its %s',
    async (model) => {
      const { email, userId } = await addUser();
      const browser = new Browser();
      const relying = await createOidcClient(server);
      const page = await browser.visit(await relying.start());
      before = { model, run: () => end(userId) };
      const landing = await browser.submit(page, { email, password });
      expect(landing.status).toBeLessThan(500);
      const tokens = await tokensOf(relying, landing);
      await expectSignedOut(userId, browser, tokens?.access_token);
    },
  );

  test('of a browser that is signed in already and visits the provider', async () => {
    const { email, userId } = await addUser();
    const { browser, relying } = await signIn(server, email);
    before = { model: 'Session', run: () => end(userId) };
    const landing = await browser.visit(await relying.start());
    expect(landing.status).toBeLessThan(500);
    await expectSignedOut(userId, browser);
  });

  test('of a client that renews its tokens', async () => {
    const { email, userId } = await addUser();
    const { browser, relying, tokens } = await signIn(server, email);
    before = { model: 'RefreshToken', run: () => end(userId) };
    await expect(client.refreshTokenGrant(relying.config, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expectSignedOut(userId, browser);
  });

  test.each([
    { model: 'Grant' },
    // The first time only notes that the code was entered.
    { model: 'DeviceCode', skip: 1 },
  ])('of a terminal that is about to store its $model', async (at) => {
    const { email, userId } = await addUser();
    const { browser } = await signIn(server, email);
    const { config } = await createOidcClient(server, 'yagura-cli');
    const asked = await client.initiateDeviceAuthorization(config, { scope: 'openid offline_access' });
    const page = await browser.submit(await browser.visit(`${server.publicUrl}/oidc/device`), {
      user_code: asked.user_code,
    });
    before = { ...at, run: () => end(userId) };
    const landing = await browser.submit(page, { confirm: 'yes' });
    expect(landing.status).toBeLessThan(500);
    server.clock.advance(5_000);
    const reply = await fetch(`${server.publicUrl}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        ...{ client_id: 'yagura-cli', device_code: asked.device_code },
      }),
    });
    expect(reply.status).toBe(400);
    await expectSignedOut(userId, browser);
  });
});

test.runIf(hasPostgresql())('what is stored waits for an end of all sessions that is under way', async () => {
  const store = (await createStoreWithTables('postgresql'))!;
  const database = await store.open();
  const spaceId = await addSpace(database, server.clock);
  const context = { ...server.options, database, spaceId, clearPrincipalCache: () => {} };
  const users = createUserAccounts({ ...context, nextId: createIdSource(server.clock), maxUsers: null });
  const { userId } = await users.createUser({ email: 'person@example.com', displayName: 'Person' });
  const findings = createRequestFindings(() => context);
  findings.noteEpoch(userId, 0);
  const sessions = payloadAdapter(context as unknown as IdentityContext, 'Session', {
    ...{ usedTwice: () => new Error('twice'), ended: () => new Error('ended'), findings },
  });
  const gate = new EventEmitter();
  const isOpened = once(gate, 'open');
  const isHeld = once(gate, 'held');
  const ending = users.endSessions(userId, (work) =>
    database.transaction(async (tx) => {
      const done = await work(tx);
      gate.emit('held');
      await isOpened;
      return done;
    }),
  );
  await isHeld;
  const storing = expect(sessions.upsert('one', { jti: 'one', accountId: userId }, 60)).rejects.toThrow(
    'ended',
  );
  await expect.poll(() => countWaiting(database), { timeout: 20_000 }).toBe(1);
  gate.emit('open');
  await Promise.all([ending, storing]);
  await store.remove();
});

/** Statements that wait for a lock of another transaction. */
async function countWaiting(database: Database): Promise<number> {
  const { rows } = await database.query(
    `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  );
  return rows.length;
}

describe('a browser that visits the provider', () => {
  const endOne = async (userId: string) => {
    const { rows } = await server.database.query<{ id: string }>(
      'select sign_in_session_id as id from sign_in_session where user_id = $1',
      [userId],
    );
    expect(await plain.signInSessions.end(userId, rows[0]!.id, runTransaction)).toBe(true);
  };

  test('stays signed out when its sign-in is ended by itself', async () => {
    const { email, userId } = await addUser();
    const { browser, relying } = await signIn(server, email);
    before = { model: 'Session', run: () => endOne(userId) };
    await browser.visit(await relying.start());
    const silent = await browser.visit(await relying.start({ prompt: 'none' }));
    expect(silent.url.searchParams.get('error')).toBe('login_required');
  });

  test('stays signed out when another tab signs out', async () => {
    const { email } = await addUser();
    const { browser, relying, tokens } = await signIn(server, email);
    const other = new Browser();
    for (const [name, cookie] of browser.jar) other.jar.set(name, cookie);
    const signOut = new URL(`${server.publicUrl}/oidc/session/end`);
    signOut.search = String(
      new URLSearchParams({ id_token_hint: tokens.id_token!, client_id: 'yagura-web' }),
    );
    before = { model: 'Session', run: () => other.visit(signOut) };
    await browser.visit(await relying.start());
    const silent = await browser.visit(await relying.start({ prompt: 'none' }));
    expect(silent.url.searchParams.get('error')).toBe('login_required');
  });
});
