import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  Browser,
  type BrowserPage,
  createOidcClient,
  type IdentityServer,
  password,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';

const better = 'Better-horse-8';
let server: IdentityServer;
beforeAll(async () => {
  server = (await startIdentityServer())!;
}, 60_000);
afterAll(() => server.close());

const addUser = (email: string) =>
  server.identity.createUser({ email, displayName: email.split('@')[0]!, password });

/** Posts the form of a page without following the redirect that completes the sign-in; returns its address. */
async function hold(browser: Browser, page: BrowserPage, fields: Record<string, string>): Promise<URL> {
  const cookie = [...browser.jar].map(([name, { value }]) => `${name}=${value}`).join('; ');
  const reply = await fetch(page.url, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...browser.headers, cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
  expect(reply.status).toBe(303);
  return new URL(reply.headers.get('location')!, page.url);
}

async function open(clientId?: string) {
  const browser = new Browser();
  const relying = await createOidcClient(server, clientId);
  return { browser, page: await browser.visit(await relying.start()) };
}

/** Turns two-step verification on and returns what tells the current code. */
async function turnOnSecondStep(userId: string, email: string): Promise<() => string> {
  const { totp } = server.identity;
  const { secret } = await totp.prepare(userId, email);
  const code = () =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.now() });
  await totp.enable(userId, code(), 'wrong');
  server.clock.advance(30_000);
  return code;
}

const changePassword = (userId: string) =>
  server.identity.changeOwnPassword(userId, { password: better, language: 'en' }, (work) =>
    server.database.transaction(work),
  );
const endSessions = (userId: string) =>
  server.identity.endSessions(userId, (work) => server.database.transaction(work));

describe('a sign-in that was begun before', () => {
  test.each([
    ['a new password', 'mio@example.com', changePassword],
    ['the end of all sessions', 'nao@example.com', endSessions],
  ])('%s lets nobody in afterwards', async (_what, email, end) => {
    const { userId } = await addUser(email);
    const { browser, page } = await open();
    const rest = await hold(browser, page, { email, password });
    await end(userId);
    const landing = await browser.visit(rest);
    expect(landing.url.searchParams.has('code')).toBe(false);
    expect(landing.text).toContain('Sign-in failed');
  });

  test('a new password does not wait for the second step of the old one', async () => {
    const email = 'rei@example.com';
    const { userId } = await addUser(email);
    const code = await turnOnSecondStep(userId, email);
    const { browser, page } = await open();
    const second = await browser.submit(page, { email, password });
    await changePassword(userId);
    const landing = await browser.submit(second, { code: code() });
    expect(landing.url.searchParams.has('code')).toBe(false);
    expect(landing.text).toContain('expired');
  });

  test('a form whose body was held back does not store it again', async () => {
    const email = 'yui@example.com';
    const { userId } = await addUser(email);
    const code = await turnOnSecondStep(userId, email);
    const { browser, page } = await open();
    const second = await browser.submit(page, { email, password });
    const cookie = [...browser.jar].map(([name, { value }]) => `${name}=${value}`).join('; ');
    const wrong = 'code=000000';
    const held = request(second.url, {
      method: 'POST',
      headers: {
        ...browser.headers,
        ...{ cookie, 'content-type': 'application/x-www-form-urlencoded', 'content-length': wrong.length },
      },
    });
    const answered = once(held, 'response');
    held.write(wrong.slice(0, 5));
    // Everything but its body is there once another request has been answered.
    await browser.visit(second.url);
    await changePassword(userId);
    held.end(wrong.slice(5));
    const [reply] = (await answered) as [IncomingMessage];
    reply.resume();
    await once(reply, 'end');
    const landing = await browser.submit(second, { code: code() });
    expect(landing.url.searchParams.has('code')).toBe(false);
    expect(landing.text).toContain('expired');
  });

  test('of somebody else goes on', async () => {
    const email = 'sae@example.com';
    await addUser(email);
    const other = await addUser('toki@example.com');
    const { browser, page } = await open();
    const rest = await hold(browser, page, { email, password });
    await changePassword(other.userId);
    expect((await browser.visit(rest)).url.searchParams.has('code')).toBe(true);
  });
});

test('a consent leaves no sign-in behind when all sessions end meanwhile', async () => {
  const email = 'kiri@example.com';
  const { userId } = await addUser(email);
  const { browser, page } = await open('yagura-cli');
  const consent = await browser.submit(page, { email, password });
  const { query } = server.database;
  let found = 0;
  server.database.query = (async (statement: string, values?: unknown[]) => {
    const reply = await query(statement, values);
    // The form looks for the session first of all. It is there, and ends before the consent is stored.
    if (values?.includes('Session') && ++found === 1) await endSessions(userId);
    return reply;
  }) as typeof server.database.query;
  const landing = await browser.submit(consent, { confirm: 'yes' }).finally(() => {
    server.database.query = query;
  });
  expect(found).toBeGreaterThan(0);
  expect(landing.url.searchParams.has('code')).toBe(false);
  const left = async (statement: string) => (await query(statement, [userId])).rows;
  expect(await left('select client from sign_in_session where user_id = $1')).toEqual([]);
  expect(await left(`select model from oidc_payload where payload->>'accountId' = $1`)).toEqual([]);
});

describe('a remembered browser', () => {
  test('is asked for the second step again after a new password', async () => {
    const email = 'umi@example.com';
    const { userId } = await addUser(email);
    const code = await turnOnSecondStep(userId, email);
    const { browser, page } = await open();
    const second = await browser.submit(page, { email, password });
    const landing = await browser.submit(second, { code: code(), remember: 'yes' });
    expect(landing.url.searchParams.has('code')).toBe(true);
    const again = await createOidcClient(server);
    const known = await browser.submit(await browser.visit(await again.start({ prompt: 'login' })), {
      email,
      password,
    });
    expect(known.url.searchParams.has('code')).toBe(true);
    await changePassword(userId);
    const asked = await browser.submit(await browser.visit(await again.start()), { email, password: better });
    expect(asked.url.searchParams.has('code')).toBe(false);
    expect(asked.text).toContain('name="code"');
    expect(await server.identity.totp.state(userId)).toMatchObject({ enabled: true, rememberedBrowsers: 0 });
  });
});
