// The embedded OpenID provider: our settings of the library, for our own two clients.

import type { EventEmitter } from 'node:events';
import type { JWK } from 'jose';
import type {
  Account,
  AccountClaims,
  Configuration,
  KoaContextWithOIDC,
  default as ProviderClass,
} from 'oidc-provider';
import { StoreUnavailable } from '../db/unavailable.ts';
import { errorFacts } from '../log.ts';
import type { IdentityContext } from './context.ts';
import { audienceOf, cliClientId, type ExtraTokenClaims, issuerOf, webClientId } from './embedded-issuer.ts';
import { loadProvider } from './load-provider.ts';
import { languageOf, type Translators } from './page/language.ts';
import { confirmSignOutPage, errorPage, missingPage, signedOutPage } from './page/notice-page.ts';
import { guardHeaders, type Page } from './page/page.ts';
import { payloadAdapter } from './payload-adapter.ts';
import { endSession, finishSignOut, isOwnSignOut } from './sign-out.ts';

export type Provider = ProviderClass;

const minute = 60;
const day = 86_400;
/** Lifetimes in seconds. A session ends after two weeks without a sign-in of any client, and after 30 days in any case. */
export const lifetimes = {
  accessToken: 10 * minute,
  code: minute,
  idToken: 60 * minute,
  interaction: 60 * minute,
  session: 14 * day,
  webSignIn: 30 * day,
  cliIdle: 30 * day,
  cliSignIn: 90 * day,
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

/** Makes a provider that signs with the first of the keys and publishes all of them. */
export async function createProvider(
  context: IdentityContext,
  jwks: readonly JWK[],
  translators: Translators,
): Promise<Provider> {
  const library = await loadProvider();
  const issuer = issuerOf(context.publicUrl);
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
  // Both clients are ours, so nobody is asked whether they may be used.
  policy.get('consent')!.checks.remove('native_client_prompt');
  const configuration: Configuration = {
    ...settings(context, library),
    jwks: { keys: [...jwks] as NonNullable<Configuration['jwks']>['keys'] },
    interactions: { policy, url: (_ctx, interaction) => `${issuer}/interaction/${interaction.uid}` },
    renderError: (ctx, out, error) => {
      const away = error instanceof StoreUnavailable;
      render(ctx, errorPage({ ...pageFacts(ctx), status: away ? 503 : ctx.status, code: out.error }));
    },
  };
  configuration.features!.rpInitiatedLogout = {
    enabled: true,
    async logoutSource(ctx, form) {
      if (!isOwnSignOut(ctx)) return render(ctx, confirmSignOutPage({ ...pageFacts(ctx), form }));
      await endSession(provider, ctx.oidc.session!);
      finishSignOut(ctx);
    },
    postLogoutSuccessSource: (ctx) => render(ctx, signedOutPage(pageFacts(ctx))),
  };
  const provider: Provider = new library.default(issuer, configuration);

  function pageFacts(ctx: KoaContextWithOIDC) {
    const language = languageOf(ctx.req, ctx.oidc?.params?.ui_locales ?? ctx.query.ui_locales);
    return { language, t: translators[language], home: `${context.publicUrl}/` };
  }

  standAtPublicUrl(provider, context.publicUrl);
  provider.on('server_error', (ctx: KoaContextWithOIDC, error: Error) => {
    context.log({
      level: 'error',
      message: 'Identity provider failed',
      path: ctx.path,
      ...errorFacts(error),
    });
  });
  (provider as EventEmitter).on('error', (error: Error) => {
    context.log({ level: 'error', message: 'Identity provider failed', ...errorFacts(error) });
  });
  provider.on('grant.error', (ctx: KoaContextWithOIDC, error: Error & { error_detail?: string }) => {
    if (!error.error_detail?.includes('already used')) return;
    const userId = ctx.oidc.entities.Account?.accountId;
    context.log({
      level: 'warn',
      message: 'A code or refresh token was used twice; its sign-in is ended',
      userId,
    });
  });
  provider.use(async (ctx, next) => {
    ctx.set(guardHeaders());
    await next();
    const oidc = ctx.oidc as KoaContextWithOIDC['oidc'] | undefined;
    // Without a session the library answers with a page that needs a script; there is nothing to ask anyway.
    if (oidc?.route === 'end_session' && ctx.status === 200 && !oidc.session?.accountId) {
      finishSignOut(ctx as KoaContextWithOIDC);
    }
    // Whoever stays is not led to the page that says they are signed out.
    if (oidc?.route === 'end_session_confirm' && ctx.status === 303 && !oidc.params?.logout) {
      ctx.redirect(`${context.publicUrl}/`);
    }
    if (ctx.status === 404 && !ctx.body)
      render(ctx as KoaContextWithOIDC, missingPage(pageFacts(ctx as KoaContextWithOIDC)));
  });
  return provider;
}

/** A grant of everything that our own clients may ask for. */
export async function grantAll(provider: Provider, accountId: string, clientId: string, audience: string) {
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope('openid profile email offline_access');
  grant.addResourceScope(audience, '');
  await grant.save();
  return grant;
}

function settings(
  context: IdentityContext,
  library: Awaited<ReturnType<typeof loadProvider>>,
): Configuration {
  const { publicUrl, spaceId, secret, database } = context;
  const audience = audienceOf(publicUrl);
  const secure = publicUrl.startsWith('https:');
  const client = {
    token_endpoint_auth_method: 'none' as const,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code' as const],
    response_modes: ['query', 'fragment'],
    id_token_signed_response_alg: 'ES256' as const,
  };
  const cookie = { httpOnly: true, sameSite: 'lax' as const, signed: true };
  return {
    adapter: (model: string) =>
      payloadAdapter(
        context,
        model,
        () => new library.errors.InvalidGrant('already used by another request'),
      ),
    clients: [
      {
        ...client,
        client_id: webClientId,
        client_name: 'Yagura',
        application_type: 'web',
        redirect_uris: [`${publicUrl}/authorize`],
        post_logout_redirect_uris: [`${publicUrl}/`],
      },
      {
        ...client,
        client_id: cliClientId,
        client_name: 'Yagura CLI',
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/callback'],
      },
    ],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    scopes: ['openid', 'offline_access'],
    claims: { openid: ['sub', 'email', 'name', 'privileged', 'roles'], email: ['email'], profile: ['name'] },
    conformIdTokenClaims: false,
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    pkce: { required: () => true },
    discovery: { ui_locales_supported: ['en', 'ja'] },
    cookies: {
      keys: [secret.cookieKey],
      names: {
        session: secure ? '__Host-yagura_session' : 'yagura_session',
        interaction: 'yagura_interaction',
        resume: 'yagura_resume',
      },
      long: cookie,
      short: cookie,
    },
    clientBasedCORS: (_ctx, origin) => origin === publicUrl,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
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
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
    },
    ttl: {
      AccessToken: lifetimes.accessToken,
      AuthorizationCode: lifetimes.code,
      IdToken: lifetimes.idToken,
      Interaction: lifetimes.interaction,
      Session: lifetimes.session,
      Grant: lifetimes.cliSignIn + day,
      RefreshToken(_ctx, token, { clientId }) {
        const [idle, whole] =
          clientId === cliClientId
            ? [lifetimes.cliIdle, lifetimes.cliSignIn]
            : [lifetimes.session, lifetimes.webSignIn];
        const begun = token.iiat ?? Math.floor(context.clock.now() / 1000);
        return Math.max(1, Math.min(idle, begun + whole - Math.floor(context.clock.now() / 1000)));
      },
    },
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    // A browser's tokens end with its session; the command line was only let in by it.
    expiresWithSession: (_ctx, token) => token.clientId !== cliClientId,
    async loadExistingGrant({ oidc }) {
      const accountId = oidc.account!.accountId;
      const { clientId } = oidc.client!;
      const known =
        oidc.result?.consent?.grantId ??
        (clientId === cliClientId ? undefined : oidc.session!.grantIdFor(clientId));
      const grant = known ? await oidc.provider.Grant.find(known) : undefined;
      return grant?.accountId === accountId ? grant : grantAll(oidc.provider, accountId, clientId, audience);
    },
    async findAccount(_ctx, userId) {
      const { rows } = await database.query<PersonRow>(findPerson, [spaceId, userId]);
      const [row] = rows;
      if (!row) return undefined;
      const { tokenEpoch, ...claims } = row;
      const account: PersonAccount = {
        accountId: userId,
        tokenEpoch,
        claims: async () => ({ sub: userId, ...claims }) as AccountClaims,
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

/** Links, cookies and redirects follow the configured address, whatever Host or X-Forwarded headers say. */
function standAtPublicUrl(provider: Provider, publicUrl: string): void {
  const { protocol, host } = new URL(publicUrl);
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1), configurable: true },
    host: { get: () => host, configurable: true },
  });
}

function render(ctx: KoaContextWithOIDC, page: Page): void {
  ctx.status = page.status;
  ctx.set(page.headers);
  ctx.body = page.text;
}
