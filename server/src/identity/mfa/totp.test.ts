import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  Browser,
  createOidcClient,
  type IdentityServer,
  password,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';

let server: IdentityServer;
let addresses = 0;
let userId: string;
let generator: TOTP;
let recovery: string[];
const email = 'hana@example.com';

beforeAll(async () => {
  server = (await startIdentityServer())!;
  userId = (await server.identity.createUser({ email, displayName: 'Hana', password })).userId;
  // Somebody who begins again gets another secret.
  await server.identity.totp.prepare(userId, email);
  const { secret, uri, qrCode } = await server.identity.totp.prepare(userId, email);
  expect(uri).toContain(secret);
  expect(qrCode).toMatch(/^<svg/);
  generator = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });
  await expect(server.identity.totp.enable(userId, '000000', 'wrong')).rejects.toMatchObject({
    invalidParams: [{ name: 'code', reason: 'wrong' }],
  });
  recovery = await server.identity.totp.enable(userId, now(), 'wrong');
}, 60_000);
afterAll(() => server.close());
beforeEach(() => {
  server.address = `203.0.113.${++addresses}`;
  server.clock.advance(60_000);
});

const now = () => generator.generate({ timestamp: server.clock.now() });

/** Returns the page shown after the correct password. */
async function second(browser = new Browser()) {
  const oidcClient = await createOidcClient(server);
  const page = await browser.submit(await browser.visit(await oidcClient.start()), { email, password });
  return { browser, relying: oidcClient, page };
}

test('a secret in use is not replaced by another set-up', async () => {
  await expect(server.identity.totp.prepare(userId, email)).rejects.toMatchObject({ kind: 'conflict' });
  expect(await server.identity.totp.check(userId, now())).toBe('app');
});

describe('the second step', () => {
  test('is asked for after the password, and a code of the app lets in', async () => {
    const { browser, relying, page } = await second();
    expect(page.status).toBe(200);
    expect(page.text).toContain('Second step');
    expect(browser.jar.has('yagura_session')).toBe(false);
    const landing = await browser.submit(page, { code: now() });
    expect(landing.url.searchParams.has('code')).toBe(true);
    expect((await relying.finish(landing)).claims()).toMatchObject({ sub: userId });
  });

  test('of a sign-in made anew is noted where it was passed, not where the browser was spared it', async () => {
    const { browser, relying, page } = await second();
    const tokens = await relying.finish(await browser.submit(page, { code: now(), remember: 'yes' }));
    const { grantId } = await server.identity.authenticate({
      authorization: `Bearer ${tokens.access_token}`,
    });
    const again = async () => {
      const secondSetup = await createOidcClient(server);
      const asked = await browser.visit(await secondSetup.start({ prompt: 'login', max_age: '0' }));
      return browser.submit(asked, { email, password });
    };
    const strength = async () => (await server.identity.signInSessions.proof(userId, grantId!))?.strong;
    expect((await again()).url.searchParams.has('code')).toBe(true);
    expect(await strength()).toBe(false);
    await server.identity.totp.forgetBrowsers(userId, server.database);
    server.clock.advance(60_000);
    await browser.submit(await again(), { code: now() });
    expect(await strength()).toBe(true);
  });

  test('takes no code twice, none that is wrong and none of long ago', async () => {
    const code = now();
    const first = await second();
    expect((await first.browser.submit(first.page, { code })).url.searchParams.has('code')).toBe(true);
    const { browser, page } = await second();
    const refused = await browser.submit(page, { code });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('already been used');
    const old = generator.generate({ timestamp: server.clock.now() - 300_000 });
    expect((await browser.submit(refused, { code: old })).status).toBe(400);
  });

  test('takes the codes of half a minute before and after, none further off', async () => {
    const at = (seconds: number) => generator.generate({ timestamp: server.clock.now() + seconds * 1000 });
    for (const seconds of [-60, 60, -90, 90])
      expect(await server.identity.totp.check(userId, at(seconds))).toBeNull();
    for (const seconds of [-30, 0, 30])
      expect(await server.identity.totp.check(userId, at(seconds))).toBe('app');
    server.clock.advance(60_000);
  });

  test('takes codes after a clock that was ahead is right again, each of them once', async () => {
    const ahead = 40 * 86_400_000;
    server.clock.jump(ahead);
    expect(await server.identity.totp.check(userId, now())).toBe('app');
    server.clock.jump(-ahead);
    expect(await server.identity.totp.check(userId, now())).toBe('app');
    expect(await server.identity.totp.check(userId, now())).toBeNull();
  });

  test('takes each recovery code once, and tells the person', async () => {
    const code = recovery[0]!;
    const one = await second();
    const landing = await one.browser.submit(one.page, { code: code.toUpperCase().replace('-', ' ') });
    expect(landing.url.searchParams.has('code')).toBe(true);
    expect(server.mails.at(-1)).toMatchObject({ kind: 'security-changed', to: email });
    const { browser, page } = await second();
    expect((await browser.submit(page, { code })).status).toBe(400);
    expect(await server.identity.totp.state(userId)).toMatchObject({ enabled: true, recoveryCodesLeft: 9 });
  });

  test('locks after five wrong codes', async () => {
    const { browser, page } = await second();
    let last = page;
    for (let at = 0; at < 6; at++) last = await browser.submit(page, { code: '000000' });
    expect(last.status).toBe(429);
    server.clock.advance(3_600_000);
  });

  test('is spared a remembered browser for thirty days, until it is forgotten', async () => {
    const { browser, page } = await second();
    await browser.submit(page, { code: now(), remember: 'yes' });
    browser.jar.delete('yagura_session');
    const again = await second(browser);
    expect(again.page.url.searchParams.has('code')).toBe(true);
    const token = browser.jar.get('yagura_browser')!.value;
    const [, other] = [token, (await server.identity.totp.remember(userId))!];
    expect(await server.identity.totp.isRemembered(userId, other)).toBe(true);
    await server.database.query('update remembered_browser set expires_at = $1', [
      new Date(server.clock.now()).toISOString(),
    ]);
    expect(await server.identity.totp.isRemembered(userId, other)).toBe(false);
    await server.identity.totp.forgetBrowsers(userId, server.database);
    browser.jar.delete('yagura_session');
    expect((await second(browser)).page.text).toContain('Second step');
  });

  test('starts over when it took more than ten minutes, or when asked to', async () => {
    const { browser, page } = await second();
    server.clock.advance(600_000);
    expect((await browser.submit(page, { code: now() })).text).toContain('id="password"');
    const other = await second();
    expect((await other.browser.submit(other.page, { restart: 'yes' })).text).toContain('id="password"');
  });
});
