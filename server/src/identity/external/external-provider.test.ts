import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../common/clock.ts';
import {
  createExternalProvider,
  type ExternalProviderError,
  type PendingAuthorization,
} from './external-provider.ts';
import type { ExternalSettings } from './external-settings.ts';

/** A provider as the test wants it: metadata, the claims of its ID token, and its answer at the token endpoint. */
const outside = {
  issuer: '',
  reads: 0,
  metadata: {} as Record<string, unknown>,
  isAway: false,
  claims: {} as JWTPayload,
  refusal: undefined as { status: number; body?: object; challenge?: string } | undefined,
  userInfo: {} as object,
  tokenRequests: [] as { authorization: string | undefined; body: URLSearchParams }[],
};
let key: Awaited<ReturnType<typeof generateKeyPair>>;
const server = createServer((req, res) => {
  const reply = (status: number, body: object, headers: Record<string, string> = {}) =>
    res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  let text = '';
  req.on('data', (chunk) => (text += chunk));
  req.on('end', async () => {
    const { issuer } = outside;
    if (req.url === '/.well-known/openid-configuration') {
      outside.reads += 1;
      if (outside.isAway) return reply(500, {});
      return reply(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        ...outside.metadata,
      });
    }
    if (req.url === '/jwks')
      return reply(200, {
        keys: [{ ...(await exportJWK(key.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }],
      });
    if (req.url === '/userinfo') return reply(200, outside.userInfo);
    const { refusal } = outside;
    outside.tokenRequests.push({
      authorization: req.headers.authorization,
      body: new URLSearchParams(text),
    });
    if (refusal)
      return reply(
        refusal.status,
        refusal.body ?? {},
        refusal.challenge ? { 'www-authenticate': refusal.challenge } : {},
      );
    const idToken = await new SignJWT({ sub: 'hana', email: 'hana@example.com', ...outside.claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience('yagura')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(key.privateKey);
    return reply(200, { access_token: 'access', token_type: 'bearer', id_token: idToken });
  });
});

beforeAll(async () => {
  key = await generateKeyPair('RS256');
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  outside.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  Object.assign(outside, {
    ...{ reads: 0, metadata: {}, isAway: false, claims: {}, refusal: undefined, userInfo: {} },
    tokenRequests: [],
  });
});

function open(change: Partial<ExternalSettings> = {}) {
  const clock = new ManualClock(Date.now());
  const settings = { issuer: outside.issuer, clientId: 'yagura', scope: 'openid email', ...change };
  const provider = createExternalProvider(settings as ExternalSettings, {
    ...{ publicUrl: 'http://localhost:8080', clock },
  });
  const begin = (more: object = {}) => provider.begin({ uid: 'one', language: 'ja', ...more });
  /** Comes back with this answer. */
  const finish = async (
    answer: Record<string, string> = { code: 'abc' },
    change: Partial<PendingAuthorization> = {},
  ) => {
    const { pending } = await begin();
    if (!('nonce' in outside.claims)) outside.claims = { ...outside.claims, nonce: pending.nonce };
    const query = new URLSearchParams({ state: pending.state, more: 'ignored', ...answer });
    return provider.finish(query, { ...pending, ...change });
  };
  const refusal = (finishing: Promise<unknown>) =>
    finishing.then(
      () => 'let in',
      ({ code, isConfigurationError }: ExternalProviderError) => [code, isConfigurationError],
    );
  return { clock, provider, begin, finish, refusal };
}

describe('the metadata of the provider', () => {
  test('is read once an hour, also by sign-ins that begin at the same time', async () => {
    const { clock, begin } = open();
    const [{ address }] = await Promise.all([begin(), begin()]);
    expect(address.href).toMatch(`${outside.issuer}/authorize?`);
    clock.advance(3_599_999);
    await begin();
    expect(outside.reads).toBe(1);
    clock.advance(1);
    await begin();
    expect(outside.reads).toBe(2);
  });

  test('is read again at the next sign-in when it could not be read', async () => {
    const { begin, refusal } = open();
    outside.isAway = true;
    expect(await refusal(begin())).toEqual(['discovery_failed', true]);
    outside.isAway = false;
    expect((await begin()).pending.state).toMatch(/^one\./);
    expect(outside.reads).toBe(2);
  });
});

describe('the request to the provider', () => {
  test('asks for a prompt, a new sign-in or a user only where it is told to', async () => {
    const { clock, begin } = open();
    const plain = await begin();
    const parameters = Object.fromEntries(plain.address.searchParams);
    expect(parameters).toEqual({
      client_id: 'yagura',
      response_type: 'code',
      redirect_uri: 'http://localhost:8080/oidc/external',
      scope: 'openid email',
      state: plain.pending.state,
      nonce: plain.pending.nonce,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      ui_locales: 'ja',
    });
    expect(plain.pending).not.toHaveProperty('since');
    const special = await begin({ prompt: 'login', loginHint: 'hana@example.com', fresh: true });
    expect(Object.fromEntries(special.address.searchParams)).toMatchObject({
      ...{ prompt: 'login', login_hint: 'hana@example.com', max_age: '0' },
    });
    expect(special.pending.since).toBe(clock.now());
  });

  test.each([
    ['a secret where nothing is published', 'secret', undefined, 'basic'],
    ['a secret where that is published', 'secret', ['client_secret_post', 'client_secret_basic'], 'basic'],
    ['a secret where it goes in the body', 'secret', ['client_secret_post'], 'body'],
    ['no secret', undefined, ['client_secret_basic', 'none'], 'none'],
  ])('for tokens has %s', async (_name, clientSecret, methods, expected) => {
    outside.metadata = methods ? { token_endpoint_auth_methods_supported: methods } : {};
    const { finish } = open({ clientSecret });
    expect((await finish()).subject).toBe('hana');
    const [{ authorization, body }] = outside.tokenRequests as [(typeof outside.tokenRequests)[number]];
    expect(authorization).toBe(
      expected === 'basic' ? `Basic ${Buffer.from('yagura:secret').toString('base64')}` : undefined,
    );
    expect(body.get('client_secret')).toBe(expected === 'body' ? 'secret' : null);
    expect(body.get('code')).toBe('abc');
    expect(body.get('code_verifier')).toMatch(/^[\w-]{43}$/);
  });
});

describe('the answer of the provider', () => {
  test('tells who it is, from the userinfo endpoint where the token has no address', async () => {
    outside.metadata = { userinfo_endpoint: `${outside.issuer}/userinfo` };
    outside.userInfo = { sub: 'hana', email: 'other@example.com', name: 'Hana' };
    expect(await open().finish()).toMatchObject({ email: 'hana@example.com', displayName: null });
    outside.claims = { email: undefined };
    const found = await open().finish();
    expect(found).toMatchObject({ email: 'other@example.com', displayName: 'Hana', issuer: outside.issuer });
    expect(found.idToken).toMatch(/^eyJ/);
    outside.metadata = {};
    outside.claims = { email: undefined };
    expect(await open().finish()).toMatchObject({ email: null });
  });

  test('for a new sign-in names one of the last minute', async () => {
    const { finish, refusal } = open();
    const since = Date.parse('2026-01-01T00:10:00.000Z');
    const of = (authTime: unknown) => {
      outside.claims = { auth_time: authTime };
      return refusal(finish(undefined, { since }));
    };
    expect(await of(since / 1000 - 60)).toBe('let in');
    expect(await of(since / 1000 - 61)).toEqual(['login_required', false]);
    expect(await of(undefined)).toEqual(['login_required', false]);
    outside.claims = { auth_time: 1 };
    expect(await refusal(finish())).toBe('let in');
  });

  test.each([
    ['access_denied', false],
    ['login_required', false],
    ['unauthorized_client', true],
    ['invalid_scope', true],
    ['unsupported_response_type', true],
    ['invalid_redirect_uri', true],
  ])('with the error %s is told, as a wrong configuration: %s', async (error, isOurs) => {
    const { finish, refusal } = open();
    expect(await refusal(finish({ error }))).toEqual([error, isOurs]);
    outside.refusal = { status: 400, body: { error } };
    expect(await refusal(finish())).toEqual([error, isOurs]);
  });

  test('that makes no sense is told as such', async () => {
    const { finish, refusal } = open();
    expect(await refusal(finish({ error: 'a'.repeat(64) }))).toEqual(['a'.repeat(64), false]);
    expect(await refusal(finish({ error: 'a'.repeat(65) }))).toEqual(['invalid_answer', false]);
    expect(await refusal(finish({ error: '<b>' }))).toEqual(['invalid_answer', false]);
    expect(await refusal(finish({}))).toEqual(['invalid_answer', false]);
    expect(await refusal(finish({ code: 'abc', state: 'other' }))).toEqual(['invalid_answer', false]);
    outside.claims = { nonce: 'other' };
    expect(await refusal(finish())).toEqual(['invalid_answer', false]);
    outside.refusal = { status: 401, challenge: 'Basic realm="outside"' };
    expect(await refusal(finish())).toEqual(['invalid_client', true]);
    outside.refusal = { status: 500 };
    expect(await refusal(finish())).toEqual(['invalid_answer', false]);
  });

  test('that is that of a gateway without the provider is told as its absence', async () => {
    const { finish, refusal } = open();
    for (const status of [502, 503, 504]) {
      outside.refusal = { status };
      expect(await refusal(finish())).toEqual(['unreachable', true]);
    }
    outside.refusal = undefined;
    outside.metadata = { token_endpoint: 'http://127.0.0.1:1/token' };
    expect(await refusal(open().finish())).toEqual(['unreachable', true]);
  });

  test('is not believed when its token is signed with another key', async () => {
    const own = key;
    const { finish, refusal } = open();
    const foreign = await generateKeyPair('RS256');
    key = { publicKey: own.publicKey, privateKey: foreign.privateKey };
    expect(await refusal(finish())).toEqual(['invalid_answer', false]);
    key = own;
  });
});

test('the session at the provider is ended where it has an address for that, with a hint that fits', async () => {
  const { provider } = open();
  const idToken = 'x'.repeat(4_000);
  expect(await provider.signOut({ idToken, language: 'en' })).toBeNull();
  outside.metadata = { end_session_endpoint: `${outside.issuer}/end` };
  const other = open().provider;
  const of = async (token: string) => {
    const address = (await other.signOut({ idToken: token, language: 'en' }))!;
    expect(address.pathname).toBe('/end');
    return Object.fromEntries(address.searchParams);
  };
  const expected = {
    client_id: 'yagura',
    post_logout_redirect_uri: 'http://localhost:8080/signed-out',
    ui_locales: 'en',
  };
  expect(await of(idToken)).toEqual({ ...expected, id_token_hint: idToken });
  expect(await of(`${idToken}x`)).toEqual(expected);
});
