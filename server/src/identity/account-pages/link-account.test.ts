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

async function open(userId: string, email: string) {
  const token = await createOneTimeTokens(server).issue(server.database, {
    ...{ purpose: 'link-account', userId, lifetime: 86_400_000 },
    data: { issuer: 'https://id.example', subject: 'one', account: email, back: '/' },
  });
  const browser = new Browser();
  const page = await browser.visit(`${server.publicUrl}/link-account?token=${token}`);
  return { link: (fields: Record<string, string>) => browser.submit(page, fields) };
}

test('a wrong password is in the audit log, with the account and the address', async () => {
  const email = 'ken@example.com';
  const { userId } = await server.identity.createUser({ email, displayName: 'Ken', password });
  const { link } = await open(userId, email);
  await link({ password: 'Wrong-horse-7' });
  await expect
    .poll(() => server.auditEntries.at(-1))
    .toMatchObject({
      ...{ actor: { kind: 'guest' }, from: { address: server.address }, resourceId: userId },
      ...{ action: 'sign-in', outcome: 'failed', detail: 'password' },
    });
});

test('guesses of the code count as those at a sign-in, from all addresses together', async () => {
  const email = 'hana@example.com';
  const { userId } = await server.identity.createUser({ email, displayName: 'Hana', password });
  const { totp } = server.identity;
  const { secret } = await totp.prepare(userId, email);
  const code = () =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.now() });
  await totp.enable(userId, code(), 'wrong');
  server.clock.advance(30_000);
  const page = await open(userId, email);
  let guesses = 0;
  const link = (given: string) => {
    // At most two of an address, so that none has to wait for itself.
    server.address = `198.51.100.${Math.floor(guesses++ / 2)}`;
    return page.link({ password, code: given });
  };
  server.auditEntries.length = 0;
  for (let guess = 1; guess < 10; guess++) expect((await link('000000')).text).toContain('The code is wrong');
  expect((await link('000000')).status).toBe(429);
  const failed = { actor: { kind: 'person', userId }, outcome: 'failed', detail: 'code' };
  await expect.poll(() => server.auditEntries.length).toBe(10);
  expect(server.auditEntries[0]).toMatchObject(failed);
  const right = await link(code());
  expect([right.status, right.headers.get('retry-after')]).toEqual([429, '30']);
  server.clock.advance(30_000);
  expect((await link(code())).text).toContain('Account linked');
});
