import { Problem } from '@yagura/core/http/problem';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  Browser,
  createOidcClient,
  type IdentityServer,
  password,
  signIn,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';
import { StoreUnavailable } from '../../db/store-unavailable.ts';
import type { ExternalSettings } from '../external/external-settings.ts';
import { createIdentity } from '../identity.ts';

let server: IdentityServer;
const email = 'hana@example.com';
beforeAll(async () => {
  server = (await startIdentityServer())!;
  await server.identity.createUser({ email, displayName: 'Hana', password });
  await server.identity.createUser({ email: 'ken@example.com', displayName: 'Ken', password });
}, 60_000);
afterAll(() => server.close());

const home = () => `${server.publicUrl}/`;

describe('signing out', () => {
  test('with the ID token of the session needs no click and ends session, refresh and access tokens', async () => {
    const { browser, relying, tokens, bearer } = await signIn(server, email);
    await server.identity.authenticate(bearer);
    const landing = await browser.visit(
      client.buildEndSessionUrl(relying.config, {
        id_token_hint: tokens.id_token!,
        post_logout_redirect_uri: home(),
        state: 'back',
      }),
    );
    expect(landing.url.href).toBe(`${home()}?state=back`);
    expect(browser.jar.has('yagura_session')).toBe(false);
    await expect(server.identity.authenticate(bearer)).rejects.toThrow('Sign-in required');
    await expect(client.refreshTokenGrant(relying.config, tokens.refresh_token!)).rejects.toThrow();
    const silent = await browser.visit(await relying.start({ prompt: 'none' }));
    expect(silent.url.searchParams.get('error')).toBe('login_required');
  });

  test('a copied session cookie is worth nothing afterwards', async () => {
    const { browser, relying, tokens } = await signIn(server, email);
    const copy = new Browser();
    for (const [name, cookie] of browser.jar) copy.jar.set(name, cookie);
    await browser.visit(client.buildEndSessionUrl(relying.config, { id_token_hint: tokens.id_token! }));
    const silent = await copy.visit(await relying.start({ prompt: 'none' }));
    expect(silent.url.searchParams.get('error')).toBe('login_required');
  });

  test('without an ID token it asks first, and does it then', async () => {
    const { browser, bearer, relying } = await signIn(server, email);
    const page = await browser.visit(
      client.buildEndSessionUrl(relying.config, { post_logout_redirect_uri: home() }),
    );
    expect(page.text).toContain('Sign out?');
    expect(page.text).not.toContain('<script');
    expect((await server.identity.authenticate(bearer)).email).toBe(email);
    const done = await browser.submit(page, { logout: 'yes' });
    expect(done.url.href).toBe(home());
    await expect(server.identity.authenticate(bearer)).rejects.toThrow('Sign-in required');
  });

  test('whoever rather stays signed in is back at the console, with the session', async () => {
    const { browser, relying } = await signIn(server, email);
    const page = await browser.visit(`${server.publicUrl}/oidc/session/end`);
    expect((await browser.submit(page, {})).url.href).toBe(home());
    const silent = await browser.visit(await relying.start({ prompt: 'none' }));
    expect(silent.url.searchParams.has('code')).toBe(true);
  });

  test('is not done by a form of a foreign page, which lacks the secret of the question', async () => {
    const { browser, bearer } = await signIn(server, email);
    await browser.visit(`${server.publicUrl}/oidc/session/end`);
    const forged = await browser.visit(`${server.publicUrl}/oidc/session/end/confirm`, {
      logout: 'yes',
      xsrf: 'guess',
    });
    expect(forged.status).toBe(400);
    expect((await server.identity.authenticate(bearer)).email).toBe(email);
  });

  test("with somebody else's ID token it asks first", async () => {
    const other = await signIn(server, 'ken@example.com');
    const { browser, relying } = await signIn(server, email);
    const page = await browser.visit(
      client.buildEndSessionUrl(relying.config, { id_token_hint: other.tokens.id_token! }),
    );
    expect(page.text).toContain('Sign out?');
  });

  test('without a session it goes on at once, to a page of its own or to the console', async () => {
    const oidcClient = await createOidcClient(server);
    const page = await new Browser().visit(`${server.publicUrl}/oidc/session/end`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('You are signed out');
    const landing = await new Browser().visit(
      client.buildEndSessionUrl(oidcClient.config, { post_logout_redirect_uri: home() }),
    );
    expect(landing.url.href).toBe(home());
  });

  test('ends on a page of its own where the external provider would sign in again at once', async () => {
    const { browser, relying, tokens, bearer } = await signIn(server, email);
    const withPasswords = server.identity;
    const external = { name: 'Company', issuer: 'http://127.0.0.1:9', passwords: false } as ExternalSettings;
    server.identity = await createIdentity({ ...server.options, external });
    try {
      const there = (more: object = {}) =>
        client.buildEndSessionUrl(relying.config, { post_logout_redirect_uri: home(), ...more });
      const signedOut = `${server.publicUrl}/signed-out`;
      expect((await new Browser().visit(there())).url.href).toBe(signedOut);
      const landing = await browser.visit(there({ id_token_hint: tokens.id_token!, state: 'back' }));
      expect(landing.url.href).toBe(`${signedOut}?state=back`);
      await expect(server.identity.authenticate(bearer)).rejects.toThrow('Sign-in required');
    } finally {
      await server.identity.close();
      server.identity = withPasswords;
    }
  });

  test('never leads to a foreign place', async () => {
    const { browser, relying, tokens } = await signIn(server, email);
    const page = await browser.visit(
      client.buildEndSessionUrl(relying.config, {
        id_token_hint: tokens.id_token!,
        post_logout_redirect_uri: 'https://evil.example/',
      }),
    );
    expect(page.status).toBe(400);
    expect(page.text).toContain('Sign-in failed');
  });

  test('of the browser leaves the command line signed in, which signs out by itself', async () => {
    const web = await signIn(server, email);
    const cli = await signIn(server, email, 'yagura-cli');
    const oidcClient = await createOidcClient(server, 'yagura-cli');
    const landing = await web.browser.authorize(await web.browser.visit(await oidcClient.start()));
    const tokens = await oidcClient.finish(landing);
    await web.browser.visit(
      client.buildEndSessionUrl(web.relying.config, { id_token_hint: web.tokens.id_token! }),
    );
    const fresh = await client.refreshTokenGrant(oidcClient.config, tokens.refresh_token!);
    const bearer = { authorization: `Bearer ${fresh.access_token}` };
    expect((await server.identity.authenticate(bearer)).email).toBe(email);

    await client.tokenRevocation(oidcClient.config, fresh.refresh_token!);
    await expect(server.identity.authenticate(bearer)).rejects.toThrow('Sign-in required');
    expect((await server.identity.authenticate(cli.bearer)).email).toBe(email);
  });
});

describe('requests that are not right', () => {
  test.each([
    ['an unknown client', { client_id: 'nobody' }, 'invalid_client'],
    ['a foreign redirect', { redirect_uri: 'https://evil.example/authorize' }, 'invalid_redirect_uri'],
  ])('%s gets a page that tells the code and no inner detail', async (_name, parameters, code) => {
    const oidcClient = await createOidcClient(server);
    const url = await oidcClient.start();
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    for (const [language, words] of [
      ['en', 'Sign-in failed'],
      ['ja', 'サインインできませんでした'],
    ] as const) {
      const page = await new Browser({ 'accept-language': language, accept: 'text/html' }).visit(url);
      expect(page.status).toBe(400);
      expect(page.text).toContain(words);
      expect(page.text).toContain(code);
      expect(page.text).not.toMatch(/node_modules|\.js:\d+/);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  test.each([
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another resource', { resource: 'https://other.example/api' }, 'invalid_target'],
    ['the implicit flow', { response_type: 'id_token' }, 'unsupported_response_type'],
  ])('%s is refused', async (_name, parameters, code) => {
    const oidcClient = await createOidcClient(server);
    const url = await oidcClient.start();
    for (const [name, value] of Object.entries(parameters)) {
      if (value) url.searchParams.set(name, value);
      else url.searchParams.delete(name);
    }
    const landing = await new Browser().visit(url);
    const answered = new URLSearchParams(landing.url.hash.slice(1) || landing.url.search);
    expect(answered.get('error')).toBe(code);
  });

  test('a page that does not exist says so', async () => {
    const page = await new Browser().visit(`${server.publicUrl}/oidc/nothing`);
    expect(page.status).toBe(404);
    expect(page.text).toContain('There is no page at this address. Go back to the console.');
  });

  test.each([
    ['the store is away', new StoreUnavailable('gone'), 503, []],
    ['something is broken', new Error('gone'), 500, [{ level: 'error', path: '/auth', error: 'gone' }]],
  ])(
    'get no trace of the cause when %s, and only a fault is logged',
    async (_case, error, status, logged) => {
      const url = await (await createOidcClient(server)).start();
      const query = server.database.query;
      server.logLines.length = 0;
      server.database.query = () => Promise.reject(error);
      try {
        const browser = new Browser();
        browser.jar.set('yagura_interaction', { value: 'x', path: '/' });
        const page = await browser.visit(url);
        expect(page.status).toBe(status);
        expect(page.text).not.toContain('gone');
        expect(server.logLines).toHaveLength(logged.length);
        expect(server.logLines).toMatchObject(logged);
      } finally {
        server.database.query = query;
      }
    },
  );

  test.each([
    ['the store is away', new StoreUnavailable('gone'), 503, 'temporarily_unavailable', []],
    ['too many passwords wait', new Problem('unavailable'), 503, 'temporarily_unavailable', []],
    ['something is broken', new Error('gone'), 500, 'server_error', ['Sign-in page failed']],
    ['a problem is unexpected', new Problem('conflict'), 500, 'server_error', ['Sign-in page failed']],
  ])('the sign-in form tells it and logs only faults when %s', async (_case, error, status, code, logged) => {
    const browser = new Browser();
    const form = await browser.visit(await (await createOidcClient(server)).start());
    const query = server.database.query;
    server.logLines.length = 0;
    server.database.query = () => Promise.reject(error);
    try {
      const page = await browser.submit(form, { email, password });
      expect(page.status).toBe(status);
      expect(page.text).toContain(code);
      expect(page.text).not.toContain('gone');
      expect(server.logLines.map(({ message }) => message)).toEqual(logged);
    } finally {
      server.database.query = query;
    }
  });
});

test('the discovery document tells of what there is', async () => {
  const reply = await fetch(`${server.publicUrl}/oidc/.well-known/openid-configuration`);
  expect(await reply.json()).toMatchObject({
    issuer: `${server.publicUrl}/oidc`,
    authorization_endpoint: `${server.publicUrl}/oidc/auth`,
    token_endpoint: `${server.publicUrl}/oidc/token`,
    end_session_endpoint: `${server.publicUrl}/oidc/session/end`,
    revocation_endpoint: `${server.publicUrl}/oidc/token/revocation`,
    jwks_uri: `${server.publicUrl}/oidc/jwks`,
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: expect.arrayContaining(['ES256', 'RS256']),
    response_types_supported: ['code'],
    grant_types_supported: expect.arrayContaining(['authorization_code', 'refresh_token']),
  });
  const { domain, issuer, clientId, cliClientId } = server.identity.clientInfo();
  expect({ issuer, clientId, cliClientId }).toEqual({
    issuer: `${server.publicUrl}/oidc`,
    clientId: 'yagura-web',
    cliClientId: 'yagura-cli',
  });
  expect(`http://${domain}`).toBe(server.publicUrl);
});
