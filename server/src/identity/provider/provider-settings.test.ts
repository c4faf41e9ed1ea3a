import type { KoaContextWithOIDC } from 'oidc-provider';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTwoSpaces, type TwoSpaces } from '../../../test/support/two-spaces.ts';
import { sealIdToken } from '../external/sealed-id-token.ts';
import { finishSignOut, isConsoleSignOut } from '../sign-in/sign-out.ts';
import { loadProvider } from './load-provider.ts';
import { findPersonClaims, providerSettings } from './provider-settings.ts';

let spaces: TwoSpaces;
let hana: string;
let library: Awaited<ReturnType<typeof loadProvider>>;
let recorded: unknown[][];
beforeAll(async () => {
  spaces = await openTwoSpaces();
  library = await loadProvider();
  hana = await spaces.addPerson(spaces.here, 'hana@example.com', { roles: ['sonar:viewer'] });
}, 60_000);
afterAll(() => spaces.close());
beforeEach(() => {
  recorded = [];
});

// biome-ignore lint/suspicious/noExplicitAny: the functions of the library take contexts of which they use little.
const settings = (change: object = {}): any =>
  providerSettings(
    {
      ...spaces.here,
      recordSignIn: async (_req, details) => void recorded.push(['sign-in', details]),
      recordProof: async (...given) => void recorded.push(['proof', ...given]),
      ...change,
    },
    library,
  );
const day = 86_400;

describe('the provider', () => {
  test('has a client in the browser and one for terminals, which have no secret', () => {
    const { clients, cookies, ...rest } = settings();
    expect(clients).toEqual([
      {
        ...{ client_id: 'yagura-web', client_name: 'Yagura', application_type: 'web' },
        ...{ token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'RS256' },
        ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
        ...{ response_modes: ['query', 'fragment'], redirect_uris: ['https://here.example/authorize'] },
        post_logout_redirect_uris: ['https://here.example/'],
      },
      {
        ...{ client_id: 'yagura-cli', client_name: 'Yagura CLI', application_type: 'native' },
        ...{ token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'ES256' },
        grant_types: [
          ...['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        ],
        ...{ response_types: ['code'], response_modes: ['query', 'fragment'] },
        redirect_uris: ['http://127.0.0.1/callback'],
      },
    ]);
    expect(cookies.names).toEqual({
      ...{ session: '__Host-yagura_session', interaction: '__Secure-yagura_interaction' },
      resume: '__Secure-yagura_resume',
    });
    for (const kind of ['long', 'short'] as const)
      expect(cookies[kind]).toEqual({ httpOnly: true, sameSite: 'lax', signed: true });
    expect(settings({ publicUrl: 'http://localhost:8080' }).cookies.names).toEqual({
      ...{ session: 'yagura_session', interaction: 'yagura_interaction', resume: 'yagura_resume' },
    });
    expect(rest.pkce.required()).toBe(true);
    expect(rest.rotateRefreshToken).toBe(true);
    expect(rest.issueRefreshToken()).toBe(true);
    expect(rest.clientAuthMethods).toEqual(['none']);
    for (const feature of ['devInteractions', 'dPoP', 'pushedAuthorizationRequests', 'userinfo'])
      expect(rest.features[feature].enabled).toBe(false);
    expect(rest.features.revocation.enabled).toBe(true);
    expect(rest.clientBasedCORS({}, 'https://here.example')).toBe(true);
    expect(rest.clientBasedCORS({}, 'https://elsewhere.example')).toBe(false);
  });

  test('lets a client revoke its own tokens, and ends those of the browser with its session', () => {
    const { features, expiresWithSession } = settings();
    const mayRevoke = (clientId: string) =>
      features.revocation.allowedPolicy({}, { clientId }, { clientId: 'yagura-cli' });
    expect([mayRevoke('yagura-cli'), mayRevoke('yagura-web')]).toEqual([true, false]);
    expect(['yagura-web', 'yagura-cli'].map((clientId) => expiresWithSession({}, { clientId }))).toEqual([
      true,
      false,
    ]);
  });

  test('gives tokens for its own API alone', () => {
    const { resourceIndicators } = settings().features;
    expect(resourceIndicators.defaultResource()).toBe('https://here.example/api');
    expect(resourceIndicators.useGrantedResource()).toBe(true);
    expect(resourceIndicators.getResourceServerInfo({}, 'https://here.example/api')).toEqual({
      ...{ scope: '', audience: 'https://here.example/api', accessTokenTTL: 600, accessTokenFormat: 'jwt' },
      jwt: { sign: { alg: 'ES256' } },
    });
    expect(() => resourceIndicators.getResourceServerInfo({}, 'https://here.example/')).toThrow(
      library.errors.InvalidTarget,
    );
  });

  test('limits how long each of its secrets is good', () => {
    const { RefreshToken: _, ...lifetimes } = settings().ttl;
    expect(lifetimes).toEqual({
      ...{ AccessToken: 600, AuthorizationCode: 60, DeviceCode: 600, IdToken: 3_600, Interaction: 3_600 },
      ...{ Session: 14 * day, Grant: 91 * day },
    });
  });

  test.each([
    ['yagura-web', 0, 0, 14 * day],
    ['yagura-web', 16, 16, 14 * day],
    ['yagura-web', 16.5, 0, 13.5 * day],
    ['yagura-web', 30, 0, 1],
    ['yagura-web', 31, 0, 1],
    ['yagura-cli', 100, 60, 30 * day],
    ['yagura-cli', 0, 61, 29 * day],
    ['yagura-cli', 0, 90, 1],
  ])(
    'of %s, signed in %f and issued %f days ago, renews for %f seconds',
    (clientId, signedIn, issued, expected) => {
      const now = Math.floor(spaces.clock.now() / 1000);
      const token = { authTime: now - signedIn * day, iiat: now - issued * day };
      expect(settings().ttl.RefreshToken({}, token, { clientId })).toBe(expected);
    },
  );

  test('counts the lifetime of tokens whose sign-in is not known from their issue, or from now', () => {
    const now = Math.floor(spaces.clock.now() / 1000);
    const of = (token: object) => settings().ttl.RefreshToken({}, token, { clientId: 'yagura-web' });
    expect(of({ iiat: now - 20 * day })).toBe(10 * day);
    expect(of({})).toBe(14 * day);
  });

  test('knows the users of its space who are not disabled', async () => {
    const claims = {
      ...{ sub: hana, email: 'hana@example.com', name: 'hana', privileged: false, roles: ['sonar:viewer'] },
    };
    const account = await settings().findAccount({}, hana);
    expect(account).toMatchObject({ accountId: hana, tokenEpoch: 0 });
    expect(await account.claims()).toEqual(claims);
    expect(await findPersonClaims(spaces.elsewhere, hana)).toBeUndefined();
    await spaces.database.query('update person set disabled = true');
    expect(await settings().findAccount({}, hana)).toBeUndefined();
    await spaces.database.query('update person set disabled = false');
  });

  test('puts space, grant and epoch into access tokens, and into nothing else', () => {
    const { extraTokenClaims } = settings();
    const context = { oidc: { account: { tokenEpoch: 3 } } };
    expect(extraTokenClaims(context, { kind: 'AccessToken', grantId: 'g' })).toEqual({
      ...{ space: spaces.here.spaceId, epoch: 3, grant: 'g' },
    });
    expect(extraTokenClaims(context, { kind: 'ClientCredentials', grantId: 'g' })).toBeUndefined();
  });
});

describe('a grant', () => {
  class Grant {
    jti = 'new';
    readonly owner: object;
    constructor(owner: object) {
      this.owner = owner;
    }
    static async find(id: string) {
      return { jti: id, accountId: id === 'of ken' ? 'ken' : 'hana' };
    }
    addOIDCScope(): void {}
    addResourceScope(): void {}
    async save(): Promise<void> {
      recorded.push(['save', this.owner]);
    }
  }
  const load = async (oidc: object) =>
    (
      await settings().loadExistingGrant({
        req: {},
        oidc: {
          ...{ account: { accountId: 'hana' }, client: { clientId: 'yagura-web' }, params: {} },
          session: { grantIdFor: () => 'of session' },
          provider: { Grant },
          ...oidc,
        },
      })
    ).jti;
  const cli = { clientId: 'yagura-cli' };

  test('of the session is used again for the same user', async () => {
    expect(await load({})).toBe('of session');
    expect(await load({ result: { consent: {} } })).toBe('of session');
    expect(recorded).toEqual([]);
  });

  test('is a new one for a terminal, for another user and where there was none, and the sign-in is recorded', async () => {
    const idToken = sealIdToken(spaces.here.secret, 'token');
    expect(await load({ client: cli, result: { vouched: idToken } })).toBe('new');
    expect(recorded).toEqual([
      ['save', { accountId: 'hana', clientId: 'yagura-cli' }],
      [
        'sign-in',
        {
          ...{ grantId: 'new', userId: 'hana', clientId: 'yagura-cli' },
          externalToken: Buffer.from(idToken, 'base64url'),
        },
      ],
    ]);
    expect(await load({ session: { grantIdFor: () => 'of ken' } })).toBe('new');
    expect(await load({ session: { grantIdFor: () => undefined } })).toBe('new');
    expect(recorded).toHaveLength(6);
  });

  test('proves the user where the sign-in was made anew because that was asked for', async () => {
    const login = (amr: string[]) => ({ result: { login: { amr } } });
    await load({ ...login(['pwd']), params: { prompt: 'login' } });
    await load({ ...login(['pwd', 'mfa']), params: { max_age: 0 } });
    await load({ ...login(['pwd']), params: {} });
    await load({ params: { prompt: 'login' } });
    expect(recorded).toEqual([
      ['proof', 'of session', false],
      ['proof', 'of session', true],
    ]);
  });
});

describe('a sign-out', () => {
  const context = (params: object | undefined, more: object = {}) => {
    const set = vi.fn();
    const redirect = vi.fn();
    const oidc = {
      params,
      urlFor: (name: string) => `https://here.example/${name}`,
      provider: { cookieName: (name: string) => `cookie of ${name}` },
      ...more,
    };
    return { oidc, cookies: { set }, status: 200, redirect } as unknown as KoaContextWithOIDC & {
      redirect: typeof redirect;
    };
  };

  test.each([
    [
      { post_logout_redirect_uri: 'https://here.example/', state: 's' },
      undefined,
      'https://here.example/?state=s',
    ],
    [{ post_logout_redirect_uri: 'https://here.example/' }, undefined, 'https://here.example/'],
    [{ state: 's' }, undefined, 'https://here.example/end_session_success'],
    [undefined, undefined, 'https://here.example/end_session_success'],
    [
      { post_logout_redirect_uri: 'https://here.example/', state: 's' },
      'https://here.example/signed-out',
      'https://here.example/signed-out?state=s',
    ],
  ])('with %o leads, instead to %s, to %s', (params, instead, target) => {
    const ctx = context(params);
    finishSignOut(ctx, instead);
    expect(ctx.redirect).toHaveBeenCalledWith(target);
    expect(ctx.status).toBe(303);
    expect(ctx.cookies.set).toHaveBeenCalledWith('cookie of session', null, {
      httpOnly: true,
      sameSite: 'lax',
    });
  });

  test.each([
    ['yagura-web', 'hana', 'hana', true],
    ['yagura-web', 'ken', 'hana', false],
    ['yagura-web', undefined, 'hana', false],
    ['yagura-cli', 'hana', 'hana', false],
  ])(
    'of the client %s with a token of %s in the session of %s needs no question: %s',
    (clientId, sub, accountId, expected) => {
      const hint = sub === undefined ? {} : { IdTokenHint: { payload: { sub } } };
      const ctx = context({}, { client: { clientId }, session: { accountId }, entities: hint });
      expect(isConsoleSignOut(ctx)).toBe(expected);
    },
  );
});
