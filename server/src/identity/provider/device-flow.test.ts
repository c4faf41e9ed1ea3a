import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addSpace,
  Browser,
  createOidcClient,
  type IdentityServer,
  password,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';
import { StoreUnavailable } from '../../db/store-unavailable.ts';

let server: IdentityServer;
let config: client.Configuration;
let addresses = 0;
const grant = 'urn:ietf:params:oauth:grant-type:device_code';

beforeAll(async () => {
  server = (await startIdentityServer())!;
  await server.identity.createUser({ email: 'hana@example.com', displayName: 'Hana', password });
  config = await client.discovery(
    new URL(`${server.publicUrl}/oidc`),
    'yagura-cli',
    undefined,
    client.None(),
    { execute: [client.allowInsecureRequests] },
  );
}, 120_000);
afterAll(() => server.close());
beforeEach(() => {
  server.address = `198.51.100.${++addresses}`;
});

const ask = () =>
  client.initiateDeviceAuthorization(config, { scope: 'openid profile email offline_access' });

/** Polls the token endpoint once and returns its response. */
async function poll(device_code: string) {
  server.clock.advance(5_000);
  return pollAtOnce(device_code);
}

async function pollAtOnce(device_code: string) {
  const reply = await fetch(`${server.publicUrl}/oidc/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: grant, client_id: 'yagura-cli', device_code }),
  });
  return (await reply.json()) as Record<string, string>;
}

async function confirmed(userCode: string, browser = new Browser()) {
  const page = await browser.submit(await browser.visit(`${server.publicUrl}/oidc/device`), {
    user_code: userCode,
  });
  expect(page.text).toContain('Authorize this terminal?');
  return { browser, page, signInPage: await browser.submit(page, { confirm: 'yes' }) };
}

describe('a device', () => {
  test('gets tokens once a person has entered its code, seen who asks, and signed in', async () => {
    server.address = '203.0.113.77';
    const asked = await ask();
    expect(asked).toMatchObject({
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: `${server.publicUrl}/oidc/device`,
      expires_in: 600,
    });
    expect(await poll(asked.device_code)).toMatchObject({ error: 'authorization_pending' });
    server.address = '198.51.100.200';
    const { browser, page, signInPage } = await confirmed(asked.user_code.toLowerCase().replace('-', ' '));
    expect(page.text).toContain(asked.user_code);
    expect(page.text).toContain('203.0.113.77');
    expect(page.text).toContain('Yagura CLI');
    const done = await browser.submit(signInPage, { email: 'hana@example.com', password });
    expect(done.text).toContain('Terminal signed in');
    const tokens = await poll(asked.device_code);
    const principal = await server.identity.authenticate({ authorization: `Bearer ${tokens.access_token}` });
    expect(principal.email).toBe('hana@example.com');
    expect(tokens.refresh_token).toBeTruthy();
    expect(await poll(asked.device_code)).toMatchObject({ error: 'invalid_grant' });
  });

  test('that a signed-in browser authorizes is in the audit log, with its user and address', async () => {
    const browser = new Browser();
    const relying = await createOidcClient(server);
    await browser.submit(await browser.visit(await relying.start()), { email: 'hana@example.com', password });
    const { user_code } = await ask();
    server.auditEntries.length = 0;
    const { signInPage: done } = await confirmed(user_code, browser);
    expect(done.text).toContain('Terminal signed in');
    expect(server.auditEntries).toEqual([
      expect.objectContaining({
        actor: expect.objectContaining({ kind: 'person', name: 'Hana' }),
        from: expect.objectContaining({ address: server.address }),
        ...{ action: 'authorize-cli', outcome: 'done', resource: 'sign-in' },
      }),
    ]);
  });

  test('that asks too often is told to slow down', async () => {
    const { device_code } = await ask();
    await poll(device_code);
    expect(await pollAtOnce(device_code)).toMatchObject({ error: 'slow_down' });
    expect(await poll(device_code)).toMatchObject({ error: 'authorization_pending' });
  });

  test('that is refused learns so at once, and its code is over', async () => {
    const asked = await ask();
    const browser = new Browser({ 'accept-language': 'ja' });
    const page = await browser.submit(await browser.visit(asked.verification_uri_complete!), {
      user_code: asked.user_code,
    });
    const refused = await browser.submit(page, { abort: 'yes' });
    expect(refused.text).toContain('拒否しました');
    expect(await poll(asked.device_code)).toMatchObject({ error: 'access_denied' });
    const again = await browser.submit(await browser.visit(`${server.publicUrl}/oidc/device`), {
      user_code: asked.user_code,
    });
    expect(again.status).toBe(400);
  });

  test('finds no code in the store, where only hashes and sealed texts are', async () => {
    const { device_code, user_code } = await ask();
    await confirmed(user_code);
    const { rows } = await server.database.query<{ text: string }>(
      'select row_to_json(p)::text as text from oidc_payload p',
    );
    expect(rows.some(({ text }) => text.includes(user_code.replace('-', '')))).toBe(true);
    expect(rows.some(({ text }) => text.includes(device_code))).toBe(false);
  });
});

describe('the page', () => {
  test('takes the code of the address into its field, runs no script and comes in both languages', async () => {
    const { verification_uri_complete: address, user_code } = await ask();
    const browser = new Browser();
    const page = await browser.visit(address!);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`value="${user_code}"`);
    expect(page.text).not.toContain('<script');
    expect((await browser.visit(`${server.publicUrl}/oidc/device?lng=ja`)).text).toContain(
      'ターミナルの承認',
    );
    expect((await browser.visit(`${server.publicUrl}/oidc/device`)).text).toContain('ターミナルの承認');
    const hostile = await new Browser().visit(
      `${server.publicUrl}/oidc/device?user_code=${encodeURIComponent('"><script>')}`,
    );
    expect(hostile.text).not.toContain('"><script>');
  });

  test.each(['BBBB-BBBB', '', 'x'.repeat(5_000)])('refuses the code %j', async (code) => {
    const browser = new Browser();
    const page = await browser.submit(await browser.visit(`${server.publicUrl}/oidc/device`), {
      user_code: code,
    });
    expect(page.status).toBe(400);
    expect(page.text).toContain('The code is wrong');
  });

  test('needs its own form: one from elsewhere is refused', async () => {
    const { user_code } = await ask();
    const page = await new Browser().visit(`${server.publicUrl}/oidc/device`, {
      user_code,
      confirm: 'yes',
      xsrf: 'x',
    });
    expect(page.text).toContain('Enter the code');
    const browser = new Browser();
    await browser.visit(`${server.publicUrl}/oidc/device`);
    const forged = { user_code, confirm: 'yes', xsrf: 'x' };
    expect((await browser.visit(`${server.publicUrl}/oidc/device`, forged)).status).toBe(400);
  });

  test.each(['device/xyz', 'DEVICE/xyz/', 'device/auth'])(
    'has nothing below it for a browser without its session: %s',
    async (spelling) => {
      server.logLines.length = 0;
      const page = await new Browser().visit(`${server.publicUrl}/oidc/${spelling}`);
      expect(page.status).toBe(404);
      expect(page.text).toContain('Page not found');
      const { status } = await fetch(`${server.publicUrl}/oidc/${spelling}`, { method: 'HEAD' });
      expect(status).toBe(404);
      const browser = new Browser();
      await browser.visit(`${server.publicUrl}/oidc/device`);
      const expired = await browser.visit(`${server.publicUrl}/oidc/${spelling}`);
      expect(expired.status).toBe(400);
      expect(server.logLines).toEqual([]);
    },
  );

  test('makes whoever guesses wait, longer each time', async () => {
    const browser = new Browser();
    let page = await browser.visit(`${server.publicUrl}/oidc/device`);
    const letters = 'BCDFGHJKLMNPQRSTVWXZ';
    for (let failure = 1; failure < 30; failure++)
      page = await browser.submit(page, {
        user_code: `BBBB-BB${letters[failure % 20]}${letters[failure % 7]}`,
      });
    expect(page.status).toBe(400);
    const thirtieth = await browser.submit(page, { user_code: 'BBBB-BBBB' });
    expect(thirtieth.status).toBe(429);
    expect(thirtieth.text).toContain('Try again in 10 s.');
    const { user_code } = await ask();
    const right = await browser.submit(thirtieth, { user_code });
    expect(right.status).toBe(429);
    expect(right.headers.get('retry-after')).toBe('10');
    for (const spelling of ['DEVICE', 'device/', 'Device/'])
      expect((await browser.visit(`${server.publicUrl}/oidc/${spelling}`, { user_code })).status).toBe(429);
    server.clock.advance(10_000);
    const free = await browser.submit(await browser.visit(`${server.publicUrl}/oidc/device`), { user_code });
    expect(free.text).toContain('Authorize this terminal?');
  });
});

describe('devices that ask for codes', () => {
  const post = (path = 'device/auth') =>
    fetch(`${server.publicUrl}/oidc/${path}`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'yagura-cli', scope: 'openid' }),
    });

  test('get so many from one address, and others still get theirs', async () => {
    const statuses = [];
    for (let at = 0; at < 62; at++) statuses.push((await post()).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    const refused = await post();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBe(5);
    expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
    for (const spelling of ['DEVICE/auth', 'device/auth/', 'Device/Auth/'])
      expect((await post(spelling)).status).toBe(429);
    server.address = '198.51.100.250';
    expect((await post()).status).toBe(200);
  });

  test('are a thousand at once in a space, of codes that are neither used nor expired', async () => {
    const { database, clock, spaceId } = server;
    await database.query('delete from oidc_payload');
    const other = await addSpace(database, clock);
    const soon = new Date(clock.now() + 600_000).toISOString();
    const now = new Date(clock.now()).toISOString();
    const add = (count: number, values: [string, string, string, string | null]) =>
      database.query(
        `insert into oidc_payload (space_id, model, id, payload, expires_at, consumed_at)
         select $1, $2, gen_random_uuid()::text, '{}', $3, $4::timestamptz from generate_series(1, $5::int) n`,
        [...values, count],
      );
    await add(999, [spaceId, 'DeviceCode', soon, null]);
    await add(2, [spaceId, 'DeviceCode', soon, now]);
    await add(2, [spaceId, 'DeviceCode', now, null]);
    await add(2, [spaceId, 'RefreshToken', soon, null]);
    await add(2, [other, 'DeviceCode', soon, null]);
    expect((await post()).status).toBe(200);
    const refused = await post();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect((await refused.json()).error_description).toContain('try again in 60 s');
    clock.advance(600_001);
    expect((await post()).status).toBe(200);
  });
});

test.each([
  ['away', new StoreUnavailable('gone'), 503],
  ['broken', new Error('gone'), 500],
])('the page says that the server is %s when it cannot look for the code', async (_name, error, status) => {
  const browser = new Browser();
  const page = await browser.visit(`${server.publicUrl}/oidc/device`);
  const { query } = server.database;
  server.database.query = ((statement: string, values?: unknown[]) =>
    values?.includes('DeviceCode')
      ? Promise.reject(error)
      : query(statement, values)) as typeof server.database.query;
  try {
    const reply = await browser.submit(page, { user_code: 'BBBB-BBBB' });
    expect(reply.status).toBe(status);
    expect(reply.text).toContain('id="problem"');
    expect(reply.text).not.toMatch(/gone|The code is wrong/);
    expect(reply.text).toContain('name="user_code"');
  } finally {
    server.database.query = query;
  }
});

test('a form that is sent without the page that shows it leads to the page', async () => {
  const reply = await fetch(`${server.publicUrl}/oidc/device`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ user_code: 'BBBB-BBBB' }),
  });
  expect([reply.status, reply.headers.get('location')]).toEqual([303, `${server.publicUrl}/oidc/device`]);
});
