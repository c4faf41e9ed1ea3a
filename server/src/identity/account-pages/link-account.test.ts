import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  Browser,
  type IdentityServer,
  password,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';
import { createOneTimeTokens } from '../tokens/one-time-tokens.ts';

let server: IdentityServer;
beforeAll(async () => {
  server = (await startIdentityServer())!;
}, 60_000);
afterAll(() => server.close());

test('guesses of the code count as those at a sign-in, from all addresses together', async () => {
  const email = 'hana@example.com';
  const { userId } = await server.identity.createUser({ email, displayName: 'Hana', password });
  const { totp } = server.identity;
  const { secret } = await totp.prepare(userId, email);
  const code = () =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.now() });
  await totp.enable(userId, code(), 'wrong');
  server.clock.advance(30_000);
  const token = await createOneTimeTokens(server).issue(server.database, {
    ...{ purpose: 'link-account', userId, lifetime: 86_400_000 },
    data: { issuer: 'https://id.example', subject: 'one', account: email, back: '/' },
  });
  const browser = new Browser();
  const page = await browser.visit(`${server.publicUrl}/link-account?token=${token}`);
  let guesses = 0;
  const link = (given: string) => {
    // At most two of an address, so that none has to wait for itself.
    server.address = `198.51.100.${Math.floor(guesses++ / 2)}`;
    return browser.submit(page, { password, code: given });
  };
  for (let guess = 1; guess < 10; guess++) expect((await link('000000')).text).toContain('The code is wrong');
  expect((await link('000000')).status).toBe(429);
  const right = await link(code());
  expect([right.status, right.headers.get('retry-after')]).toEqual([429, '30']);
  server.clock.advance(30_000);
  expect((await link(code())).text).toContain('Account linked');
});
