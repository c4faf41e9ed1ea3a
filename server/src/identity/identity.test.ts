import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  Browser,
  createOidcClient,
  type IdentityServer,
  password,
  signIn,
  startIdentityServer,
} from '../../test/support/identity-server.ts';
import { storeKinds } from '../../test/support/test-store.ts';

describe.each(storeKinds)('signing in, on the %s engine', (kind) => {
  let server: IdentityServer;
  let available = false;
  const email = 'hana@example.com';
  let userId: string;

  beforeAll(async () => {
    const started = await startIdentityServer(kind);
    if (!started) return;
    available = true;
    server = started;
    const person = await server.identity.createUser({
      email,
      displayName: 'Hana 花',
      roles: ['sonar:viewer'],
      password,
    });
    userId = person.userId;
  }, 120_000);
  afterAll(async () => {
    if (available) await server.close();
  });

  test('a browser gets a code for email and password, the code gives tokens, the token names the caller', async ({
    skip,
  }) => {
    if (!available) skip();
    const { tokens, bearer } = await signIn(server, email);
    expect(tokens.claims()).toMatchObject({
      sub: userId,
      iss: `${server.publicUrl}/oidc`,
      aud: 'yagura-web',
      email,
      name: 'Hana 花',
      privileged: false,
      roles: ['sonar:viewer'],
    });
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 600 });
    expect(tokens.refresh_token).toBeTypeOf('string');
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    expect(decodeJwt(tokens.access_token)).toMatchObject({ aud: `${server.publicUrl}/api`, sub: userId });
    expect(await server.identity.authenticate(bearer)).toEqual({
      spaceId: server.spaceId,
      userId,
      kind: 'person',
      email,
      displayName: 'Hana 花',
      claims: { privileged: false, roles: ['sonar:viewer'] },
      narrowed: false,
      tokenEpoch: 0,
      grantId: expect.any(String),
    });
  });

  /** Milliseconds after its first use from which a refresh token ends its sign-in. */
  const reuseMs: Record<string, number> = { 'yagura-web': 60_000, 'yagura-cli': 0 };

  test.for(Object.entries(reuseMs))(
    'a refresh token of %s used again after %i ms ends the whole family',
    async ([clientId, ms], { skip }) => {
      if (!available) skip();
      const { tokens, relying } = await signIn(server, email, clientId);
      const second = await client.refreshTokenGrant(relying.config, tokens.refresh_token!);
      expect(second.refresh_token).not.toBe(tokens.refresh_token);
      const bearer = { authorization: `Bearer ${second.access_token}` };
      expect((await server.identity.authenticate(bearer)).userId).toBe(userId);

      server.clock.advance(ms);
      await expect(client.refreshTokenGrant(relying.config, tokens.refresh_token!)).rejects.toThrow(
        expect.objectContaining({ error: 'invalid_grant' }),
      );
      await expect(client.refreshTokenGrant(relying.config, second.refresh_token!)).rejects.toThrow(
        expect.objectContaining({ error: 'invalid_grant' }),
      );
      await expect(server.identity.authenticate(bearer)).rejects.toThrow(
        expect.objectContaining({ kind: 'sign-in-required' }),
      );
    },
  );

  test('of several uses of a refresh token of the CLI at the same moment at most one succeeds', async ({
    skip,
  }) => {
    if (!available) skip();
    const { tokens, relying } = await signIn(server, email, 'yagura-cli');
    const uses = await Promise.allSettled(
      Array.from({ length: 4 }, () => client.refreshTokenGrant(relying.config, tokens.refresh_token!)),
    );
    expect(uses.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  });

  test('tabs of the console that renew a sign-in at the same moment, also by another server, stay signed in', async ({
    skip,
  }) => {
    if (!available) skip();
    const { tokens, relying } = await signIn(server, email);
    const renew = (token: string) => client.refreshTokenGrant(relying.config, token);
    const atOnce = await Promise.all(Array.from({ length: 4 }, () => renew(tokens.refresh_token!)));
    server.clock.advance(59_999);
    const late = await renew(tokens.refresh_token!);
    const all = [...atOnce, late];
    expect(new Set(all.map((renewed) => renewed.refresh_token)).size).toBe(all.length);
    for (const renewed of all) {
      const bearer = { authorization: `Bearer ${renewed.access_token}` };
      expect((await server.identity.authenticate(bearer)).userId).toBe(userId);
      await renew(renewed.refresh_token!);
    }
  });

  test('a session signs in the console again without asking', async ({ skip }) => {
    if (!available) skip();
    const { browser } = await signIn(server, email);
    const oidcClient = await createOidcClient(server);
    const landing = await browser.visit(await oidcClient.start({ prompt: 'none' }));
    expect(landing.url.href).toContain(`${oidcClient.redirectUri}?code=`);
    expect((await oidcClient.finish(landing)).claims()).toMatchObject({ sub: userId });
  });

  test('a session gives no program tokens of the command line before the user allows it', async ({
    skip,
  }) => {
    if (!available) skip();
    const { browser } = await signIn(server, email);
    const oidcClient = await createOidcClient(server, 'yagura-cli');
    const grantsOfCli = async () =>
      (
        await server.database.query(`select 1 from oidc_payload where model = 'Grant'
          and payload->>'clientId' = 'yagura-cli'`)
      ).rowCount;
    const before = await grantsOfCli();
    const silent = await browser.visit(await oidcClient.start({ prompt: 'none' }));
    expect(silent.url.searchParams.get('error')).toBe('consent_required');
    const page = await browser.visit(await oidcClient.start());
    expect([page.status, page.url.pathname.startsWith('/oidc/interaction/')]).toEqual([200, true]);
    expect(page.text).toContain(email);
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://127.0.0.1:45871",
    );
    const foreign = await browser.submit(page, { confirm: 'yes' }, { origin: 'https://evil.example' });
    expect(foreign.text).toContain('Authorize the command line?');
    const nothing = await browser.submit(page, {});
    expect(nothing.text).toContain('Authorize the command line?');
    expect(await grantsOfCli()).toBe(before);
    const japanese = await browser.visit(`${page.url.href}?lng=ja`);
    expect(japanese.text).toContain('コマンドラインを承認しますか？');
    const landing = await browser.submit(page, { confirm: 'yes' });
    expect((await oidcClient.finish(landing)).claims()).toMatchObject({ sub: userId });
    const denied = await browser.submit(await browser.visit(await oidcClient.start()), { abort: 'yes' });
    expect(denied.url.href).toContain(oidcClient.redirectUri);
    expect([denied.url.searchParams.get('error'), denied.url.searchParams.get('code')]).toEqual([
      'access_denied',
      null,
    ]);
  });

  test('prompt=none without a session is answered with login_required', async ({ skip }) => {
    if (!available) skip();
    const oidcClient = await createOidcClient(server);
    const landing = await new Browser().visit(await oidcClient.start({ prompt: 'none' }));
    expect(landing.url.pathname).toBe('/authorize');
    expect(landing.url.searchParams.get('error')).toBe('login_required');
  });

  test('prompt=consent of the command line asks once and gives a lasting refresh token', async ({ skip }) => {
    if (!available) skip();
    const oidcClient = await createOidcClient(server, 'yagura-cli');
    const browser = new Browser();
    const page = await browser.visit(await oidcClient.start({ prompt: 'consent' }));
    const tokens = await oidcClient.finish(
      await browser.submit(await browser.submit(page, { email, password }), { confirm: 'yes' }),
    );
    expect(
      (await client.refreshTokenGrant(oidcClient.config, tokens.refresh_token!)).access_token,
    ).toBeTypeOf('string');
  });
});

test('requests are answered with the keys that exist while new ones cannot be stored, and the next one tries again', async () => {
  const server = (await startIdentityServer())!;
  try {
    const { database, publicUrl, logLines } = server;
    const publishedAlgorithms = async () => {
      const reply = await fetch(`${publicUrl}/oidc/jwks`);
      expect(reply.status).toBe(200);
      const { keys } = (await reply.json()) as { keys: { alg: string }[] };
      return keys.map(({ alg }) => alg).sort();
    };
    await database.query(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'not now'; end $$`);
    await database.query(
      'create trigger refuse before insert on oidc_key for each row execute function refuse()',
    );
    const refused = expect.objectContaining({ level: 'warn', message: 'Signing keys were not created' });
    expect(await publishedAlgorithms()).toEqual(['ES256']);
    expect(logLines).toEqual([refused]);
    expect(await publishedAlgorithms()).toEqual(['ES256']);
    expect(logLines).toEqual([refused, refused]);
    await database.query('drop trigger refuse on oidc_key');
    expect(await publishedAlgorithms()).toEqual(['ES256', 'RS256']);
    expect(await publishedAlgorithms()).toEqual(['ES256', 'RS256']);
    expect(logLines).toHaveLength(2);
  } finally {
    await server.close();
  }
}, 60_000);
