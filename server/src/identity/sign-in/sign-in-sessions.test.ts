import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  Browser,
  type IdentityServer,
  password,
  signIn,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';

let server: IdentityServer;
beforeAll(async () => {
  server = (await startIdentityServer())!;
}, 60_000);
afterAll(() => server.close());

describe('sign-ins', () => {
  test('are ended one by one, with their tokens and the session of the browser', async () => {
    const other = 'ken@example.com';
    const ken = await server.identity.createUser({ email: other, displayName: 'Ken', password });
    const [one, two] = [await signIn(server, other), await signIn(server, other)];
    const { rows } = await server.database.query<{ id: string; grant: string; address: string }>(
      `select sign_in_session_id as id, grant_id as "grant", address from sign_in_session where user_id = $1`,
      [ken.userId],
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]!.address).toBe(server.address);
    const principal = await server.identity.authenticate(one.bearer);
    const row = rows.find(({ grant }) => grant === principal.grantId)!;
    const end = (userId: string) =>
      server.identity.signInSessions.end(userId, row.id, server.database.transaction);
    expect(await end(server.spaceId)).toBe(false);
    expect(await end(ken.userId)).toBe(true);
    await expect(server.identity.authenticate(one.bearer)).rejects.toMatchObject({
      kind: 'sign-in-required',
    });
    expect(await server.identity.authenticate(two.bearer)).toMatchObject({ userId: ken.userId });
    const page = await one.browser.visit(await one.relying.start());
    expect(page.text).toContain('id="password"');
  });

  test('tell the language for mails that an administrator causes', async () => {
    const email = 'jun@example.com';
    const { userId } = await server.identity.createUser({ email, displayName: 'Jun', password });
    const languagesOf = async (change: { email: string; by?: string }) => {
      server.mails.length = 0;
      await server.database.transaction((tx) =>
        server.identity.queueEmailChange(tx, userId, { ...change, language: 'en' }),
      );
      return server.mails.map(({ to, language }) => [to, language]);
    };
    expect(await languagesOf({ email: 'jun1@example.com', by: 'Admin' })).toEqual([
      ['jun1@example.com', 'en'],
      [email, 'en'],
    ]);
    await signIn(server, email, undefined, new Browser({ 'accept-language': 'ja', accept: 'text/html' }));
    expect(await languagesOf({ email: 'jun2@example.com', by: 'Admin' })).toEqual([
      ['jun2@example.com', 'ja'],
      [email, 'ja'],
    ]);
    // Their own request is made in the language of the page.
    expect(await languagesOf({ email: 'jun3@example.com' })).toEqual([
      ['jun3@example.com', 'en'],
      [email, 'en'],
    ]);
  });

  test('of a person again, in the same browser, make the session cookie of before worth nothing', async () => {
    const email = 'hana@example.com';
    await server.identity.createUser({ email, displayName: 'Hana', password });
    const { browser, relying } = await signIn(server, email);
    const copy = new Browser();
    for (const [name, cookie] of browser.jar) copy.jar.set(name, cookie);
    const page = await browser.visit(await relying.start({ prompt: 'login' }));
    const landing = await browser.submit(page, { email, password });
    expect(landing.url.searchParams.has('code')).toBe(true);
    expect(browser.jar.get('yagura_session')!.value).not.toBe(copy.jar.get('yagura_session')!.value);
    const silent = await copy.visit(await relying.start({ prompt: 'none' }));
    expect(silent.url.searchParams.get('error')).toBe('login_required');
  });
});
