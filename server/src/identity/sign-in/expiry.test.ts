// Tests idle and absolute lifetimes of sign-ins, with the date advanced for both the library and the server.

import * as client from 'openid-client';
import { TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  Browser,
  createOidcClient,
  type IdentityServer,
  password,
  signIn,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';

const email = 'hana@example.com';
const day = 86_400_000;
let server: IdentityServer;
let userId: string;

beforeAll(async () => {
  server = (await startIdentityServer())!;
  ({ userId } = await server.identity.createUser({ email, displayName: 'Hana', password }));
}, 120_000);
afterAll(() => server?.close());
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: server.clock.now() });
});
afterEach(() => {
  vi.useRealTimers();
});

function pass(days: number): void {
  server.clock.advance(days * day);
  vi.setSystemTime(server.clock.now());
}

describe('a refresh token', () => {
  /** Idle and absolute lifetime in days. */
  test.each([
    ['yagura-web', 14, 30],
    ['yagura-cli', 30, 90],
  ])(
    'of %s is refused after %i days without use, and after %i days in any case',
    async (clientId, idle, whole) => {
      const first = await signIn(server, email, clientId);
      const renew = (token: string) => client.refreshTokenGrant(first.relying.config, token);
      pass(idle - 1);
      const used = await renew(first.tokens.refresh_token!);
      pass(idle + 1);
      await expect(renew(used.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' });

      const second = await signIn(server, email, clientId);
      let token = second.tokens.refresh_token!;
      for (let age = 0; age + 9 < whole; age += 9) {
        pass(9);
        // Also use the browser's session, with which the console's tokens end.
        if (clientId === 'yagura-web')
          await second.browser.visit(await second.relying.start({ prompt: 'none' }));
        token = (await renew(token)).refresh_token!;
      }
      pass(9);
      await expect(renew(token)).rejects.toMatchObject({ error: 'invalid_grant' });
    },
  );
});

test('the console is asked to sign in thirty days after the sign-in, also with tokens of a later day', async () => {
  const { browser, relying } = await signIn(server, email);
  pass(13);
  await browser.visit(await relying.start({ prompt: 'none' }));
  pass(13);
  const late = await createOidcClient(server);
  const tokens = await late.finish(await browser.visit(await late.start({ prompt: 'none' })));
  pass(3);
  const used = await client.refreshTokenGrant(late.config, tokens.refresh_token!);
  pass(1.1);
  await expect(client.refreshTokenGrant(late.config, used.refresh_token!)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
});

test('a browser that was not used for fourteen days shows the sign-in page, one that was goes through', async () => {
  const { browser, relying } = await signIn(server, email);
  const silent = async () => (await browser.visit(await relying.start({ prompt: 'none' }))).url.searchParams;
  pass(13);
  expect((await silent()).has('code')).toBe(true);
  // Less than 30 days after the sign-in, which would end it in any case.
  pass(14.1);
  expect((await silent()).get('error')).toBe('login_required');
  expect((await browser.visit(await relying.start())).text).toContain('id="password"');
});

test('a remembered browser is asked for the second step again after thirty days', async () => {
  const { secret } = await server.identity.totp.prepare(userId, email);
  const code = () => new TOTP({ secret }).generate({ timestamp: server.clock.now() });
  await server.identity.totp.enable(userId, code(), 'wrong');
  const browser = new Browser();
  const first = async () => {
    browser.jar.delete('yagura_session');
    const oidcClient = await createOidcClient(server);
    return browser.submit(await browser.visit(await oidcClient.start()), { email, password });
  };
  pass(1);
  const page = await first();
  expect(page.text).toContain('id="code"');
  await browser.submit(page, { code: code(), remember: 'yes' });
  pass(29);
  expect((await first()).url.searchParams.has('code')).toBe(true);
  pass(2);
  expect((await first()).text).toContain('id="code"');
});

test.each([
  [599_999, false],
  [600_000, true],
])('the second step is waited for ten minutes, then the sign-in starts over: %i ms', async (ms, isOver) => {
  const own = `step${ms}@example.com`;
  const user = await server.identity.createUser({ email: own, displayName: 'Step', password });
  const { secret } = await server.identity.totp.prepare(user.userId, own);
  const code = () => new TOTP({ secret }).generate({ timestamp: server.clock.now() });
  await server.identity.totp.enable(user.userId, code(), 'wrong');
  pass(1);
  const browser = new Browser();
  const oidcClient = await createOidcClient(server);
  const asked = await browser.submit(await browser.visit(await oidcClient.start()), { email: own, password });
  expect(asked.text).toContain('id="code"');
  pass(ms / day);
  const answer = await browser.submit(asked, { code: code() });
  expect(answer.url.searchParams.has('code')).toBe(!isOver);
  expect(answer.text.includes('id="password"')).toBe(isOver);
});
