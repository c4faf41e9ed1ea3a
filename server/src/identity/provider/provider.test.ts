// The provider as client libraries use it.
import { decodeProtectedHeader } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addSpace,
  type IdentityServer,
  password,
  signIn,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';
import { createIdentity } from '../identity.ts';

let server: IdentityServer;
let userId: string;
beforeAll(async () => {
  server = (await startIdentityServer())!;
  ({ userId } = await server.identity.createUser({
    email: 'hana@example.com',
    displayName: 'Hana',
    roles: ['sonar:viewer'],
    password,
  }));
}, 60_000);
afterAll(() => server.close());

const discover = (algorithm: 'oidc' | 'oauth2') =>
  client.discovery(new URL(`${server.publicUrl}/oidc`), 'yagura-web', undefined, client.None(), {
    execute: [client.allowInsecureRequests],
    algorithm,
  });
const userInfo = (init?: RequestInit) => fetch(`${server.publicUrl}/oidc/userinfo`, init);

test('publishes the same metadata for OpenID Connect and for OAuth 2.0', async () => {
  const [connect, oauth] = await Promise.all([discover('oidc'), discover('oauth2')]);
  expect(oauth.serverMetadata()).toEqual(connect.serverMetadata());
  expect(connect.serverMetadata()).toMatchObject({
    issuer: `${server.publicUrl}/oidc`,
    userinfo_endpoint: `${server.publicUrl}/oidc/userinfo`,
    id_token_signing_alg_values_supported: expect.arrayContaining(['ES256', 'RS256']),
  });
});

test('publishes a public key of each algorithm and no private member', async () => {
  const reply = await fetch(`${server.publicUrl}/oidc/jwks`);
  const { keys } = (await reply.json()) as { keys: Record<string, unknown>[] };
  expect(keys.map(({ alg }) => alg).sort()).toEqual(['ES256', 'RS256']);
  for (const key of keys) expect(Object.keys(key)).not.toContain('d');
  const { rows } = await server.database.query<{ jwk: object }>('select public_jwk as jwk from oidc_key');
  for (const { jwk } of rows)
    expect(Object.keys(jwk).filter((name) => /^(d|p|q|dp|dq|qi)$/.test(name))).toEqual([]);
});

describe.each([
  ['yagura-web', 'RS256'],
  ['yagura-cli', 'ES256'],
])('a sign-in with %s', (clientId, algorithm) => {
  test(`gets an ID token signed with ${algorithm}, and the same claims from the userinfo endpoint`, async () => {
    const { relying, tokens } = await signIn(server, 'hana@example.com', clientId);
    expect(decodeProtectedHeader(tokens.id_token!)).toMatchObject({ alg: algorithm });
    client.enableNonRepudiationChecks(relying.config);
    const refreshed = await client.refreshTokenGrant(relying.config, tokens.refresh_token!);
    expect(decodeProtectedHeader(refreshed.id_token!)).toMatchObject({ alg: algorithm });
    expect(decodeProtectedHeader(refreshed.access_token)).toMatchObject({ alg: 'ES256' });
    const claims = await client.fetchUserInfo(relying.config, refreshed.access_token, userId);
    const { sub, email, name, privileged, roles } = tokens.claims()!;
    expect(claims).toEqual({ sub, email, name, privileged, roles });
    expect(claims).toEqual({
      sub: userId,
      email: 'hana@example.com',
      name: 'Hana',
      privileged: false,
      roles: ['sonar:viewer'],
    });
  });
});

describe('the userinfo endpoint', () => {
  test('takes POST as well and is never cached', async () => {
    const { bearer } = await signIn(server, 'hana@example.com');
    const reply = await userInfo({ method: 'POST', headers: bearer });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(await reply.json()).toMatchObject({ sub: userId });
  });

  test('refuses a call without a token, with a wrong one and with an API token', async () => {
    const principal = await server.identity.authenticate((await signIn(server, 'hana@example.com')).bearer);
    const { token } = await server.identity.createApiToken({
      principal,
      displayName: 'script',
      roles: null,
      expiresAt: null,
    });
    const none = await userInfo();
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="yagura"']);
    for (const wrong of ['Bearer eyJh.eyJz.sig', `Bearer ${token}`, 'Basic YTpi']) {
      const reply = await userInfo({ headers: { authorization: wrong } });
      expect([wrong, reply.status]).toEqual([wrong, 401]);
      expect(reply.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });

  test('refuses the token of a sign-in that has ended', async () => {
    const { bearer, tokens, relying } = await signIn(server, 'hana@example.com');
    await client.tokenRevocation(relying.config, tokens.refresh_token!);
    server.identity.clearPrincipalCache();
    expect((await userInfo({ headers: bearer })).status).toBe(401);
  });

  test('takes no other method', async () => {
    const reply = await userInfo({ method: 'DELETE' });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });
});

describe('the address', () => {
  test.each([
    ['/.well-known/oauth-authorization-server/oidc/?a=b', 200, 'userinfo_endpoint'],
    ['/.well-known/oauth-authorization-server/oidc2', 404, 'There is no page at this address'],
    ['/oidc/userinfo/?a=b', 401, 'invalid_token'],
    ['/oidc/userinfo2', 404, 'There is no page at this address'],
    ['/oidc/interaction/one/?a=b', 400, 'Sign-in expired'],
    [`/oidc/interaction/${'x'.repeat(64)}`, 400, 'Sign-in expired'],
    [`/oidc/interaction/${'x'.repeat(65)}`, 404, 'There is no page at this address'],
    ['/oidc/interaction/a.b', 404, 'There is no page at this address'],
    ['/oidc', 404, 'There is no page at this address'],
    [`/oidc/external?state=one.${'x'.repeat(20)}`, 404, 'There is no page at this address'],
    ['/change-email/?a=b', 200, 'Change your email address'],
  ])('%s is answered with %i and tells %j', async (path, status, text) => {
    const reply = await fetch(server.publicUrl + path, {
      headers: { 'accept-language': 'en', accept: 'text/html' },
      redirect: 'manual',
    });
    expect(reply.status).toBe(status);
    expect(await reply.text()).toContain(text);
  });
});

test.each([
  ['/auth', 'state', 303],
  ['/auth', 'nonce', 303],
  ['/auth', 'login_hint', 303],
  ['/session/end', 'state', 303],
  ['/token', 'client_id', 401],
  ['/token/revocation', 'token', 200],
  ['/device/auth', 'nonce', 200],
])('%s with NUL, which the database rejects, in %s is answered with %i', async (path, name, status) => {
  const lines = server.logLines.length;
  const target = new URL(`${server.publicUrl}/oidc${path}`);
  const isPost = path !== '/auth' && path !== '/session/end';
  const form = new URLSearchParams({
    ...{ client_id: path === '/device/auth' ? 'yagura-cli' : 'yagura-web', scope: 'openid' },
    ...{ response_type: 'code', redirect_uri: `${server.publicUrl}/authorize` },
    ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
    ...{ grant_type: 'refresh_token', refresh_token: 'x' },
    [name]: 'a\0b',
  });
  if (!isPost) target.search = form.toString();
  const reply = await fetch(target, {
    redirect: 'manual',
    ...(isPost ? { method: 'POST', body: form } : {}),
  });
  expect(reply.status).toBe(status);
  expect(server.logLines.slice(lines)).toEqual([]);
});

test('a server without proxy records the address of the connection, and mails name their own space', async () => {
  const { database, clock, options, spaceId } = server;
  const own = server.identity;
  await addSpace(database, clock);
  await database.query(`update space set display_name = 'Own' where space_id = $1`, [spaceId]);
  const { clientAddress: _, ...direct } = options;
  server.identity = await createIdentity({ ...direct, publicUrl: `${server.publicUrl}/path` });
  try {
    await database.query('delete from sign_in_session');
    await signIn(server, 'hana@example.com');
    const { rows } = await database.query<{ address: string }>('select address from sign_in_session');
    expect(rows[0]!.address).toMatch(/^(::ffff:)?127\.0\.0\.1$/);
    expect(server.identity.clientInfo().issuer).toBe(`${server.publicUrl}/oidc`);
    server.mails.length = 0;
    await server.identity.notifySecurityChange(userId, 'mfa-on', 'en');
    expect(server.mails[0]!.params.space).toBe('Own');
  } finally {
    await server.identity.close();
    server.identity = own;
  }
});
