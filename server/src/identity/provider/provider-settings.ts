// Configures the OpenID provider library: two first-party clients, short-lived access tokens, long-lived
// rotated refresh tokens.
import type {
  Account,
  AccountClaims,
  AdapterFactory,
  Configuration,
  interactionPolicy,
  KoaContextWithOIDC,
  default as Provider,
} from 'oidc-provider';
import { getSealedIdToken } from '../external/sealed-id-token.ts';
import type { IdentityContext } from '../identity-context.ts';
import { isMultiFactor, requestsPromptLogin } from '../sign-in/prompt-login.ts';
import {
  audienceOf,
  cliClientId,
  type ExtraTokenClaims,
  userInfoOf,
  webClientId,
} from '../tokens/embedded-issuer.ts';
import { accessTokenAlgorithm, idTokenAlgorithms } from '../tokens/signing-keys.ts';
import { createPollLimit, deviceGrant } from './device-flow.ts';
import type { loadProvider } from './load-provider.ts';
import { payloadAdapter, type ReuseInterval } from './payload-adapter.ts';
import { createRequestFindings } from './request-findings.ts';

type Library = Awaited<ReturnType<typeof loadProvider>>;

const minute = 60;
const day = 86_400;
/**
 * Lifetimes in seconds. A session ends after two weeks without a sign-in by any client, and after 30 days at
 * the latest.
 */
const lifetimes = {
  accessToken: 10 * minute,
  code: minute,
  deviceCode: 10 * minute,
  idToken: 60 * minute,
  interaction: 60 * minute,
  session: 14 * day,
  webSignIn: 30 * day,
  cliIdle: 30 * day,
  cliSignIn: 90 * day,
};

/**
 * The console's tabs share a refresh token in a sealed cookie, and several may renew it at the same moment on
 * different servers, or lose the reply; its first use therefore does not end it at once. Used later, it ends the
 * sign-in. The command line locks its profile instead.
 */
const reuseIntervals: Partial<Record<string, ReuseInterval>> = {
  RefreshToken: { clientId: webClientId, ms: minute * 1000 },
};

interface PersonAccount extends Account {
  tokenEpoch: number;
}

interface PersonRow {
  email: string;
  name: string;
  privileged: boolean;
  roles: string[];
  tokenEpoch: number;
}

const findPerson = {
  name: 'identity_account',
  text: `select email, display_name as name, privileged, roles, token_epoch as "tokenEpoch"
    from person where space_id = $1 and user_id = $2 and not disabled`,
};

/** The claims about a user in ID tokens and the userinfo reply; undefined for a disabled or unknown one. */
export async function findPersonClaims(
  { database, spaceId }: Pick<IdentityContext, 'database' | 'spaceId'>,
  userId: string,
): Promise<(PersonRow & { sub: string }) | undefined> {
  const { rows } = await database.query<PersonRow>(findPerson, [spaceId, userId]);
  return rows[0] && { sub: userId, ...rows[0] };
}

/** Grants everything that our own clients may request. */
async function grantAll(provider: Provider, accountId: string, clientId: string, audience: string) {
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope('openid profile email offline_access');
  grant.addResourceScope(audience, '');
  await grant.save();
  return grant;
}

/** The configuration without keys and pages. */
export function providerSettings(
  context: IdentityContext,
  library: Library,
): Configuration & { adapter: AdapterFactory } {
  const { publicUrl, spaceId, secret } = context;
  const audience = audienceOf(publicUrl);
  const secure = publicUrl.startsWith('https:');
  const client = {
    token_endpoint_auth_method: 'none' as const,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code' as const],
    response_modes: ['query', 'fragment'],
  };
  const polls = createPollLimit(() => context.clock.now(), library.errors.SlowDown);
  const findings = createRequestFindings(() => library.default.ctx as KoaContextWithOIDC | undefined);
  const cookie = { httpOnly: true, sameSite: 'lax' as const, signed: true };
  return {
    adapter(model: string) {
      const { InvalidGrant, SessionNotFound } = library.errors;
      const adapter = payloadAdapter(context, model, {
        usedTwice: () => new InvalidGrant('already used by another request'),
        ended: () => new (model === 'RefreshToken' ? InvalidGrant : SessionNotFound)('the sign-in has ended'),
        findings,
        reuseInterval: reuseIntervals[model],
      });
      if (model !== 'DeviceCode') return adapter;
      return {
        ...adapter,
        async find(id) {
          const asking = library.default.ctx as KoaContextWithOIDC | undefined;
          if (asking?.oidc?.route === 'token') polls.check(id);
          return adapter.find(id);
        },
      };
    },
    clients: [
      {
        ...client,
        client_id: webClientId,
        client_name: 'Yagura',
        // What client libraries for browsers accept without configuration.
        id_token_signed_response_alg: 'RS256',
        application_type: 'web',
        redirect_uris: [`${publicUrl}/authorize`],
        post_logout_redirect_uris: [`${publicUrl}/`],
      },
      {
        ...client,
        client_id: cliClientId,
        client_name: 'Yagura CLI',
        id_token_signed_response_alg: 'ES256',
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: [...client.grant_types, deviceGrant],
      },
    ],
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    scopes: ['openid', 'offline_access'],
    claims: { openid: ['sub', 'email', 'name', 'privileged', 'roles'], email: ['email'], profile: ['name'] },
    conformIdTokenClaims: false,
    enabledJWA: { idTokenSigningAlgValues: [...idTokenAlgorithms] },
    pkce: { required: () => true },
    discovery: { ui_locales_supported: ['en', 'ja'], userinfo_endpoint: userInfoOf(publicUrl) },
    cookies: {
      keys: [secret.cookieKey],
      names: {
        session: secure ? '__Host-yagura_session' : 'yagura_session',
        // These cookies are limited to one path, so they cannot have the `__Host-` prefix that the session
        // has.
        interaction: secure ? '__Secure-yagura_interaction' : 'yagura_interaction',
        resume: secure ? '__Secure-yagura_resume' : 'yagura_resume',
      },
      long: cookie,
      short: cookie,
    },
    clientBasedCORS: (_ctx, origin) => origin === publicUrl,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      // The library accepts no access token for another audience, which ours are; see user-info.ts.
      userinfo: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, asking, token) => token.clientId === asking.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource) {
          if (resource !== audience) throw new library.errors.InvalidTarget();
          return {
            scope: '',
            audience,
            accessTokenTTL: lifetimes.accessToken,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: accessTokenAlgorithm } },
          };
        },
      },
    },
    ttl: {
      AccessToken: lifetimes.accessToken,
      AuthorizationCode: lifetimes.code,
      DeviceCode: lifetimes.deviceCode,
      IdToken: lifetimes.idToken,
      Interaction: lifetimes.interaction,
      Session: lifetimes.session,
      Grant: lifetimes.cliSignIn + day,
      RefreshToken(_ctx, token, { clientId }) {
        const [idle, whole] =
          clientId === cliClientId
            ? [lifetimes.cliIdle, lifetimes.cliSignIn]
            : [lifetimes.session, lifetimes.webSignIn];
        const now = Math.floor(context.clock.now() / 1000);
        // A browser that is signed in gets new tokens without a click, so the console's count from the sign-in.
        const begun = (clientId === cliClientId ? undefined : token.authTime) ?? token.iiat ?? now;
        return Math.max(1, Math.min(idle, begun + whole - now));
      },
    },
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    // The console's tokens end with the browser session; the CLI was only authorized through it.
    expiresWithSession: (_ctx, token) => token.clientId !== cliClientId,
    async loadExistingGrant({ oidc, req }) {
      const accountId = oidc.account!.accountId;
      const { clientId } = oidc.client!;
      const known = clientId === cliClientId ? undefined : oidc.session!.grantIdFor(clientId);
      const grant = known ? await oidc.provider.Grant.find(known) : undefined;
      if (grant?.accountId === accountId) {
        // The same user as before; another user who signs in here gets their own grant.
        if (oidc.result?.login && requestsPromptLogin(oidc.params!))
          await context.recordProof(grant.jti, isMultiFactor(oidc.result.login.amr));
        return grant;
      }
      if (mustAskForConsent(oidc)) return undefined;
      const made = await grantAll(oidc.provider, accountId, clientId, audience);
      await context.recordSignIn(req, {
        ...{ grantId: made.jti, userId: accountId, clientId },
        externalToken: getSealedIdToken(oidc.result),
      });
      return made;
    },
    async findAccount(_ctx, userId) {
      const found = await findPersonClaims(context, userId);
      if (!found) return undefined;
      const { tokenEpoch, ...claims } = found;
      const account: PersonAccount = {
        accountId: userId,
        tokenEpoch,
        claims: async () => claims as AccountClaims,
      };
      return account;
    },
    extraTokenClaims({ oidc }, token) {
      if (token.kind !== 'AccessToken') return undefined;
      const { tokenEpoch } = oidc.account as PersonAccount;
      return { space: spaceId, epoch: tokenEpoch, grant: token.grantId! } satisfies ExtraTokenClaims;
    },
  };
}

/** A user who authorizes a device has confirmed its code. */
function mustAskForConsent({ client, params, result }: KoaContextWithOIDC['oidc']): boolean {
  return client?.clientId === cliClientId && params?.response_type === 'code' && !result?.consent;
}

/** Decides when the sign-in page is shown, and when the consent page. */
export function signInPolicy(library: Library): interactionPolicy.DefaultPolicy {
  const policy = library.interactionPolicy.base();
  const { Check } = library.interactionPolicy;
  const login = policy.get('login')!;
  login.checks.add(
    new Check('account_gone', 'the account cannot sign in any more', 'login_required', ({ oidc }) =>
      Boolean(oidc.session?.accountId && !oidc.account),
    ),
  );
  login.checks.add(
    new Check('session_too_old', 'the session has lasted its time', 'login_required', ({ oidc }) =>
      Boolean(oidc.session?.accountId && oidc.session.past(lifetimes.webSignIn) && !oidc.result?.login),
    ),
  );
  const { checks } = policy.get('consent')!;
  checks.remove('native_client_prompt');
  checks.add(
    new Check(
      'command_line',
      'any program can use the redirect address',
      'interaction_required',
      ({ oidc }) => mustAskForConsent(oidc),
    ),
  );
  return policy;
}
