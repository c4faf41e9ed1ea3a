import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Translate } from '@yagura/core/i18n/translator';
import { invitationDays } from '@yagura/core/space/invitation';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ExternalProviderProcess,
  startExternalProvider,
} from '../../../test/support/external-provider.ts';
import {
  Browser,
  type BrowserPage,
  createOidcClient,
  type IdentityServer,
  password,
  signIn,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';
import { readConfig } from '../../config/config.ts';
import { createIdentity } from '../identity.ts';
import type { ExternalSettings } from './external-settings.ts';

let server: IdentityServer;
let outside: ExternalProviderProcess;
let addresses = 0;
const clientSecret = 'a secret of the company & its provider';
const mail = (name: string, more: object = {}) => ({
  email: `${name}@example.com`,
  email_verified: true,
  name: `${name} of the company`,
  ...more,
});

beforeAll(async () => {
  server = (await startIdentityServer())!;
  outside = await startExternalProvider({
    clients: [
      {
        client_id: 'yagura',
        client_secret: clientSecret,
        redirect_uris: [`${server.publicUrl}/oidc/external`],
        post_logout_redirect_uris: [`${server.publicUrl}/signed-out`],
      },
    ],
    claimNames: ['realm', 'groups'],
    people: {
      hana: mail('hana', { groups: ['ops'] }),
      invited: mail('invited'),
      late: mail('late'),
      ready: mail('Ready'),
      stranger: mail('stranger'),
      unverified: mail('unverified', { email_verified: false }),
      nameless: {},
      off: mail('off'),
      mai: mail('mai'),
      rin: mail('rin'),
      boss: mail('boss', { realm: { roles: ['net', 'alerthub:viewer', 'unheard'] }, groups: ['admins'] }),
      demoted: mail('demoted', { groups: [] }),
    },
  });
  const { identity } = server;
  await identity.createUser({ email: 'hana@example.com', displayName: 'Hana', password, privileged: true });
  await identity.createUser({ email: 'ready@example.com', displayName: 'Ready', roles: ['sonar:viewer'] });
  await identity.createUser({ email: 'off@example.com', displayName: 'Off', disabled: true });
  await invite('invited');
  await use({});
}, 60_000);
afterAll(async () => {
  await outside.close();
  await server.close();
});
beforeEach(() => {
  server.address = `198.51.100.${++addresses}`;
});

/** Restarts identity with these settings, as after a configuration change. */
async function use(change: Partial<ExternalSettings>): Promise<void> {
  const external: ExternalSettings = {
    name: 'Company',
    issuer: outside.issuer,
    clientId: 'yagura',
    clientSecret,
    scope: 'openid email profile',
    hosts: [],
    signOut: true,
    passwords: true,
    createUsers: false,
    trustEmail: false,
    privileged: undefined,
    roles: undefined,
    ...change,
  };
  await server.identity.close();
  server.identity = await createIdentity({ ...server.options, external });
}

/** Invites `name` on behalf of Hana. */
async function invite(name: string): Promise<void> {
  const { userId } = (await person('hana'))!;
  await server.database.transaction((tx) =>
    server.identity.invite(
      tx,
      { userId, displayName: 'Hana' },
      { email: `${name}@example.com`, roles: ['pigeon:operator'], language: 'en' },
    ),
  );
}

/** Signs in as `name` through the company's page and returns. */
async function comeAs(name: string, parameters: Record<string, string> = {}) {
  const browser = new Browser();
  browser.externalOrigin = outside.issuer;
  const oidcClient = await createOidcClient(server);
  const page = await browser.visit(await oidcClient.start(parameters));
  const link = /href="([^"]+\?external=start)"/.exec(page.text)?.[1];
  const company = link ? await browser.visit(new URL(link, page.url)) : page;
  return { browser, relying: oidcClient, company, landing: await browser.submit(company, { login: name }) };
}

const codeOf = ({ url }: BrowserPage) => url.searchParams.get('code');
const errorOf = ({ url }: BrowserPage) => url.searchParams.get('error');
const person = (name: string) => server.identity.findUser({ email: `${name}@example.com` });

/** Target of a sign-out page's automatic redirect. */
const addressAfter = ({ headers }: BrowserPage) =>
  new URL(/^0; url=(.+)$/.exec(headers.get('refresh')!)![1]!);

describe('signing out', () => {
  test('ends the session here, then at the provider, whose ID token is kept sealed', async () => {
    const { browser, relying, landing } = await comeAs('ready');
    const tokens = await relying.finish(landing);
    const { rows } = await server.database.query<{ token: Buffer | null }>(
      'select external_token as token from sign_in_session',
    );
    expect(rows.at(-1)!.token!.toString('latin1')).not.toContain('eyJ');
    const page = await browser.visit(
      client.buildEndSessionUrl(relying.config, {
        id_token_hint: tokens.id_token!,
        post_logout_redirect_uri: `${server.publicUrl}/`,
      }),
    );
    await expect(
      server.identity.authenticate({ authorization: `Bearer ${tokens.access_token}` }),
    ).rejects.toThrow('Sign-in required');
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Continue to Company') });
    const address = addressAfter(page);
    expect(address.origin).toBe(outside.issuer);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      client_id: 'yagura',
      post_logout_redirect_uri: `${server.publicUrl}/signed-out`,
      ui_locales: 'en',
    });
    const hint = decodeJwt(address.searchParams.get('id_token_hint')!);
    expect(hint).toMatchObject({ iss: outside.issuer, sub: 'ready', aud: 'yagura' });
    const done = await browser.submit(await browser.visit(address), { logout: 'yes' });
    expect(done.url.href).toBe(`${server.publicUrl}/signed-out`);
    // The company has forgotten the browser and asks for sign-in again.
    const secondAttempt = await browser.visit(await relying.start());
    const company = await browser.visit(
      new URL(/href="([^"]+external=start)"/.exec(secondAttempt.text)![1]!, secondAttempt.url),
    );
    expect(company.text).toContain('Company sign-in');
  });

  test.each([
    ['by the configuration', { signOut: false }],
    ['because the provider is away', { issuer: 'http://127.0.0.1:9' }],
  ])('stays here %s', async (_why, change) => {
    const { browser, relying, landing } = await comeAs('ready');
    const tokens = await relying.finish(landing);
    await use(change);
    const there = await browser.visit(
      client.buildEndSessionUrl(relying.config, {
        id_token_hint: tokens.id_token!,
        post_logout_redirect_uri: `${server.publicUrl}/`,
      }),
    );
    expect(there.url.href).toBe(`${server.publicUrl}/`);
    await use({});
  });

  test('after a sign-in by password is not told to the provider', async () => {
    const { browser, relying, tokens } = await signIn(server, 'hana@example.com');
    const there = await browser.visit(
      client.buildEndSessionUrl(relying.config, {
        id_token_hint: tokens.id_token!,
        post_logout_redirect_uri: `${server.publicUrl}/`,
      }),
    );
    expect(there.url.href).toBe(`${server.publicUrl}/`);
  });
});

describe('a person', () => {
  test('who is here without any way to sign in comes in, with our own tokens and their roles', async () => {
    const { relying, landing } = await comeAs('ready');
    const tokens = await relying.finish(landing);
    const principal = await server.identity.authenticate({ authorization: `Bearer ${tokens.access_token}` });
    expect(principal).toMatchObject({
      email: 'ready@example.com',
      claims: { privileged: false, roles: ['sonar:viewer'] },
    });
    expect(server.auditEntries.at(-1)).toMatchObject({ action: 'sign-in', outcome: 'done', detail: 'fed' });
    const known = await comeAs('ready');
    expect(codeOf(known.landing)).not.toBeNull();
  });

  test('who is invited comes in with the roles of the invitation, which is used up', async () => {
    expect(codeOf((await comeAs('invited')).landing)).not.toBeNull();
    expect(await person('invited')).toMatchObject({
      displayName: 'invited of the company',
      roles: ['pigeon:operator'],
      hasPassword: false,
    });
    const { rows } = await server.database.query(
      "select accepted_at is not null as used from invitation where email = 'invited@example.com'",
    );
    expect(rows).toEqual([{ used: true }]);
  });

  test('whose invitation has expired does not come in, and is given none of its roles', async () => {
    const lifetime = invitationDays * 86_400_000;
    server.clock.sleep(-lifetime);
    await invite('late');
    server.clock.sleep(lifetime);
    const { landing } = await comeAs('late');
    expect(landing.status).toBe(403);
    expect(landing.text).toContain('Ask an administrator for an invitation');
    expect(await person('late')).toBeNull();
    await use({ createUsers: true });
    expect(codeOf((await comeAs('late')).landing)).not.toBeNull();
    expect(await person('late')).toMatchObject({ roles: [] });
    await use({});
  });

  test.each([
    ['stranger', 403, 'Ask an administrator for an invitation'],
    ['unverified', 403, 'has not verified your email address unverified@example.com'],
    ['nameless', 403, 'did not send an email address'],
    ['off', 403, 'has disabled'],
  ])('%s is told why they do not come in', async (name, status, words) => {
    const { landing } = await comeAs(name);
    expect(landing.status).toBe(status);
    expect(landing.text).toContain(words);
    expect(landing.text).toContain('?external=other');
    // The refusal is recorded after the reply.
    await vi.waitFor(() =>
      expect(server.auditEntries.at(-1)).toMatchObject({ action: 'sign-in', outcome: 'failed' }),
    );
  });

  test('with a password here links the account first, by that password, and is told by mail', async () => {
    const { browser, landing } = await comeAs('hana');
    expect(landing.url.pathname).toBe('/link-account');
    expect(landing.url.search).toBe('');
    const wrong = await browser.submit(landing, { password: 'Wrong-horse-7' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('The password is wrong');
    server.mails.length = 0;
    const done = await browser.submit(wrong, { password });
    expect(done.text).toContain('Account linked');
    expect(server.mails).toMatchObject([{ kind: 'security-changed', to: 'hana@example.com' }]);
    const on = /href="([^"]+external=start)"/.exec(done.text)![1]!;
    expect(codeOf(await browser.visit(new URL(on, done.url)))).not.toBeNull();
    expect(codeOf((await comeAs('hana')).landing)).not.toBeNull();
    // The password still works while passwords are enabled.
    expect((await signIn(server, 'hana@example.com')).tokens.access_token).toBeTruthy();
  });

  test('cannot link an account that was disabled meanwhile', async () => {
    await server.identity.createUser({ email: 'mai@example.com', displayName: 'Mai', password });
    const { browser, landing } = await comeAs('mai');
    const { userId } = (await person('mai'))!;
    await server.identity.updateUser(userId, { disabled: true });
    expect((await browser.submit(landing, { password })).text).toContain('This link is not valid');
    expect((await browser.visit(landing.url)).text).not.toContain('mai@example.com');
    const { rows } = await server.database.query('select 1 from person_link where user_id = $1', [userId]);
    expect(rows).toEqual([]);
  });

  test('who guesses the password while linking has to wait, also with the right one', async () => {
    await server.identity.createUser({ email: 'rin@example.com', displayName: 'Rin', password });
    const { browser, landing } = await comeAs('rin');
    const link = (given: string) => browser.submit(landing, { password: given });
    for (let failure = 1; failure < 5; failure++) expect((await link('Wrong-horse-7')).status).toBe(400);
    expect(await link('Wrong-horse-7')).toMatchObject({ status: 429 });
    server.clock.advance(29_999);
    const early = await link(password);
    expect(early.status).toBe(429);
    expect(early.headers.get('retry-after')).toBe('1');
    expect(early.text).toContain('Try again in 1 s.');
    server.clock.advance(1);
    expect((await link(password)).text).toContain('Account linked');
  });

  test('gets powers as the claims tell, at every sign-in, where the configuration says so', async () => {
    const { external } = readConfig([], {
      YAGURA_OIDC_ISSUER: outside.issuer,
      YAGURA_OIDC_CLIENT_ID: 'yagura',
      YAGURA_OIDC_CLIENT_SECRET: clientSecret,
      YAGURA_OIDC_CREATE_USERS: 'on',
      YAGURA_OIDC_PRIVILEGED_CLAIM: 'groups=admins',
      YAGURA_OIDC_ROLES_CLAIM: 'realm.roles',
      YAGURA_OIDC_ROLE_MAP: 'net=sonar:administrator, net=pigeon:operator',
    });
    await use(external!);
    const { relying, landing } = await comeAs('boss');
    const tokens = await relying.finish(landing);
    expect(
      (await server.identity.authenticate({ authorization: `Bearer ${tokens.access_token}` })).claims,
    ).toMatchObject({
      privileged: true,
      roles: ['sonar:administrator', 'pigeon:operator', 'alerthub:viewer'],
    });
    const boss = (await person('boss'))!;
    await server.identity.updateUser(boss.userId, { privileged: false, roles: ['greac:user'] });
    await comeAs('boss');
    expect(await person('boss')).toMatchObject({
      privileged: true,
      roles: expect.not.arrayContaining(['greac:user']),
    });
    await comeAs('demoted');
    expect(await person('demoted')).toMatchObject({ privileged: false, roles: [] });
    await use({});
  });

  test('who is the last privileged one stays so, whatever the claims tell', async () => {
    const boss = (await person('boss'))!;
    await server.identity.updateUser(boss.userId, { privileged: false });
    await use({ privileged: { path: ['groups'], value: 'nobody' } });
    expect(codeOf((await comeAs('hana')).landing)).not.toBeNull();
    expect(await person('hana')).toMatchObject({ privileged: true });
    expect(server.logLines).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('last privileged') }),
    );
    await use({});
  });
});

describe('signing in anew', () => {
  const secondAttempt = { prompt: 'login', max_age: '0' };
  const principal = (tokens: { access_token: string }) =>
    server.identity.authenticate({ authorization: `Bearer ${tokens.access_token}` });
  const shows = async (tokens: { access_token: string }) => {
    const t = ((word: string) => word) as Translate;
    return server.identity.reauthenticate(await principal(tokens), {}, t);
  };

  /** Goes as far as the company's own page, in a browser that is still signed in. */
  async function askAgain(browser: Browser, change: (company: URL) => void = () => {}) {
    const oidcClient = await createOidcClient(server);
    const page = await browser.visit(await oidcClient.start(secondAttempt));
    browser.externalOrigin = undefined;
    const there = await browser.visit(
      new URL(/href="([^"]+[?]external=start)"/.exec(page.text)![1]!, page.url),
    );
    browser.externalOrigin = outside.issuer;
    expect(Object.fromEntries(there.url.searchParams)).toMatchObject(secondAttempt);
    change(there.url);
    return { relying: oidcClient, company: await browser.visit(there.url) };
  }

  test('shows once, in that session, that it is still the person, who has no password', async () => {
    const { browser, relying, landing } = await comeAs('ready');
    const first = await relying.finish(landing);
    await expect(shows(first)).rejects.toMatchObject({
      invalidParams: [{ name: 'password', reason: 'factor.prove-again' }],
    });
    const elsewhere = await comeAs('ready');
    const other = await elsewhere.relying.finish(elsewhere.landing);
    const again = await askAgain(browser);
    expect(again.company.text).toContain('Company sign-in');
    const done = await again.relying.finish(await browser.submit(again.company, { login: 'ready' }));
    expect((await principal(done)).grantId).toBe((await principal(first)).grantId);
    await expect(shows(other)).rejects.toMatchObject({ kind: 'invalid' });
    const { userId } = (await person('ready'))!;
    expect(await server.identity.signInSessions.proof(userId, (await principal(done)).grantId!)).toEqual({
      until: new Date(server.clock.now() + 300_000).toISOString(),
      strong: false,
    });
    await shows(done);
    await expect(shows(done)).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('counts for five minutes', async () => {
    const { browser, relying, landing } = await comeAs('ready');
    await relying.finish(landing);
    const again = await askAgain(browser);
    const done = await again.relying.finish(await browser.submit(again.company, { login: 'ready' }));
    const now = server.clock.now();
    server.clock.advance(300_000);
    await expect(shows(done)).rejects.toMatchObject({ kind: 'invalid' });
    server.clock.sleep(now - server.clock.now());
  });

  test('an ordinary sign-in, or one of somebody else in that browser, shows nothing', async () => {
    const { browser, relying, landing } = await comeAs('ready');
    await relying.finish(landing);
    // Another user is signed in at the company, as after a sign-out there.
    for (const name of browser.jar.keys()) if (name.startsWith('_session')) browser.jar.delete(name);
    const again = await askAgain(browser);
    const done = await again.relying.finish(await browser.submit(again.company, { login: 'invited' }));
    expect(await principal(done)).toMatchObject({ email: 'invited@example.com' });
    await expect(shows(done)).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('a session that the company lets count instead lets nobody in', async () => {
    const { browser, relying, landing } = await comeAs('ready');
    await relying.finish(landing);
    const silent = (company: URL) => {
      company.searchParams.delete('prompt');
      company.searchParams.delete('max_age');
    };
    // Redirected again, as for `login_required`, the browser sees the company's page.
    const again = await askAgain(browser, silent);
    expect(again.company.text).toContain('Company sign-in');
    expect(Object.fromEntries(again.company.url.searchParams)).not.toMatchObject({ code: expect.anything() });
  });

  test('with a password counts as well', async () => {
    const { browser, tokens } = await signIn(server, 'hana@example.com');
    await expect(shows(tokens)).rejects.toMatchObject({
      invalidParams: [{ name: 'password', reason: 'rule.required' }],
    });
    const oidcClient = await createOidcClient(server);
    const page = await browser.visit(await oidcClient.start(secondAttempt));
    expect(page.text).toContain('id="password"');
    const done = await oidcClient.finish(await browser.submit(page, { email: 'hana@example.com', password }));
    await shows(done);
  });
});

describe('the answer', () => {
  test('of a person who said no goes back to the client', async () => {
    const { landing } = await comeAs('nobody');
    expect(landing.url.pathname).toBe('/authorize');
    expect(errorOf(landing)).toBe('access_denied');
  });

  test('login_required leads to the sign-in there, once; a second one goes back to the client', async () => {
    const browser = new Browser();
    const oidcClient = await createOidcClient(server);
    const page = await browser.visit(await oidcClient.start());
    const start = new URL(`${page.url.pathname}?external=start`, page.url);
    const reply = async () => {
      const state = (await browser.visit(start)).url.searchParams.get('state')!;
      return browser.visit(
        `${server.publicUrl}/oidc/external?error=login_required&state=${state}&iss=${encodeURIComponent(outside.issuer)}`,
      );
    };
    const again = await reply();
    expect(again.url.origin).toBe(outside.issuer);
    expect(again.url.searchParams.get('prompt')).toBe('login');
    const state = again.url.searchParams.get('state')!;
    const second = await browser.visit(
      `${server.publicUrl}/oidc/external?error=login_required&state=${state}&iss=${encodeURIComponent(outside.issuer)}`,
    );
    expect(errorOf(second)).toBe('login_required');
  });

  test.each([
    [
      'a code that the provider did not give',
      (state: string) => `code=made-up&state=${state}`,
      'invalid_grant',
    ],
    [
      'another issuer',
      (state: string) => `code=made-up&state=${state}&iss=https://evil.example`,
      'server_error',
    ],
    ['an error code that is no code', (state: string) => `error=<script>&state=${state}`, 'server_error'],
  ])('with %s lets nobody in', async (_name, query, error) => {
    const browser = new Browser();
    const oidcClient = await createOidcClient(server);
    const page = await browser.visit(await oidcClient.start());
    const { url } = await browser.visit(new URL(`${page.url.pathname}?external=start`, page.url));
    const iss = query('').includes('iss=') ? '' : `&iss=${encodeURIComponent(outside.issuer)}`;
    const landing = await browser.visit(
      `${server.publicUrl}/oidc/external?${query(url.searchParams.get('state')!)}${iss}`,
    );
    expect(errorOf(landing)).toBe(error);
  });

  test('brought to a browser that did not begin the sign-in is not taken', async () => {
    const victim = new Browser();
    const { url } = await victim.visit(await (await createOidcClient(server)).start());
    const thief = await comeAs('ready');
    const state = `${url.pathname.split('/').at(-1)}.${'x'.repeat(43)}`;
    const landing = await thief.browser.visit(`${server.publicUrl}/oidc/external?code=x&state=${state}`);
    expect(landing.status).toBe(400);
    expect(landing.text).toContain('Sign-in expired');
  });

  test('sends code, PKCE, state and nonce, and no secret in any address', async () => {
    const { company } = await comeAs('ready');
    expect(company.url.href).not.toContain(encodeURIComponent(clientSecret));
    const browser = new Browser();
    const page = await browser.visit(
      await (await createOidcClient(server)).start({ login_hint: 'ready@example.com', ui_locales: 'ja' }),
    );
    const there = await browser.visit(new URL(`${page.url.pathname}?external=start`, page.url));
    expect(Object.fromEntries(there.url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${server.publicUrl}/oidc/external`,
      login_hint: 'ready@example.com',
      ui_locales: 'ja',
    });
  });
});

describe('without passwords', () => {
  test('the sign-in goes straight to the provider, and a password is no way in', async () => {
    await use({ passwords: false });
    const { company, landing, relying, browser: signedIn } = await comeAs('ready');
    expect(company.text).toContain('Company sign-in');
    const tokens = await relying.finish(landing);
    const out = await signedIn.visit(
      `${server.publicUrl}/oidc/session/end?${new URLSearchParams({
        id_token_hint: tokens.id_token!,
        post_logout_redirect_uri: `${server.publicUrl}/`,
      })}`,
    );
    const done = await signedIn.submit(await signedIn.visit(addressAfter(out)), { logout: 'yes' });
    expect(done.url.pathname).toBe('/signed-out');
    const browser = new Browser();
    const url = (await browser.visit(await (await createOidcClient(server)).start())).url;
    const uid = url.searchParams.get('state')!.split('.')[0];
    const page = `${server.publicUrl}/oidc/interaction/${uid}`;
    const posted = await browser.visit(page, { email: 'hana@example.com', password });
    expect(posted.status).toBe(200);
    expect(posted.text).not.toContain('name="password"');
    expect(posted.text).toContain('Continue with Company');
    const change = await browser.visit(`${server.publicUrl}/change-password`);
    expect(change.status).toBe(404);
    expect(change.text).toContain('This server does not use passwords');
    await use({});
  });
});

describe('a wrong configuration', () => {
  test.each([
    ['a wrong secret', { clientSecret: 'wrong' }, 'invalid_client'],
    ['an unknown client', { clientId: 'other' }, 'invalid_client'],
  ])('%s is told on the page, the cause in the log, no secret in either', async (_name, change, code) => {
    await use(change);
    const browser = new Browser();
    browser.externalOrigin = outside.issuer;
    const page = await browser.visit(await (await createOidcClient(server)).start());
    const company = await browser.visit(new URL(`${page.url.pathname}?external=start`, page.url));
    const landing = company.text.includes('<form')
      ? await browser.submit(company, { login: 'ready' })
      : company;
    if (code === 'invalid_client' && 'clientSecret' in change) {
      expect(landing.status).toBe(502);
      expect(landing.text).toContain('not configured correctly');
      expect(landing.text).toContain(code);
    } else expect(landing.text).toContain('invalid_client');
    expect(JSON.stringify(server.logLines)).not.toContain(clientSecret);
    await use({});
  });

  test('a fault of ours is not taken for one of the provider', async () => {
    await use({});
    const browser = new Browser();
    browser.externalOrigin = outside.issuer;
    const page = await browser.visit(await (await createOidcClient(server)).start());
    const company = await browser.visit(new URL(`${page.url.pathname}?external=start`, page.url));
    const since = server.logLines.length;
    await server.database.query('alter table person_link rename to person_link_away');
    const landing = await browser.submit(company, { login: 'ready' });
    await server.database.query('alter table person_link_away rename to person_link');
    expect(landing.status).toBe(500);
    const errors = server.logLines.slice(since).filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ error: expect.stringContaining('person_link') });
    expect(JSON.stringify(server.logLines.slice(since))).not.toContain('let nobody in');
  });

  test('an issuer that is away, is another, or talks nonsense is told on the page', async () => {
    const nonsense = createServer((_request, response) => response.end('{"issuer":"https://other.example"}'));
    await new Promise<void>((resolve) => nonsense.listen(0, '127.0.0.1', resolve));
    const { port } = nonsense.address() as AddressInfo;
    const titles = { [port]: 'サインインの設定に誤りがあります', 1: '現在サインインできません' };
    for (const [at, title] of Object.entries(titles)) {
      await use({ issuer: `http://127.0.0.1:${at}`, passwords: false });
      const landing = await new Browser({ 'accept-language': 'ja' }).visit(
        await (await createOidcClient(server)).start(),
      );
      expect(landing).toMatchObject({ status: 502, text: expect.stringContaining(title) });
    }
    nonsense.close();
    await use({});
  });
});
