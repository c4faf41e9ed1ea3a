// Client of the external OpenID provider: discovery, authorization request and validated response.
import * as oidc from 'openid-client';
import type { Clock } from '../../common/clock.ts';
import type { ExternalSettings } from './external-settings.ts';
import { type ExternalIdentity, mapClaims } from './mapped-claims.ts';

/** State kept between the authorization request and its response. */
export interface PendingAuthorization {
  state: string;
  verifier: string;
  nonce: string;
  /** Earliest accepted sign-in time in milliseconds; absent when any is accepted. */
  since?: number;
}

/**
 * Why a sign-in at the provider failed. `code` is the provider's error code (RFC 6749, 4.1.2.1 and 5.2),
 * `unreachable`, `discovery_failed` or `invalid_answer`. `ours`: this server or the provider has to be mended, and
 * the user can do nothing.
 */
export class ExternalProviderError extends Error {
  readonly code: string;
  readonly isConfigurationError: boolean;
  constructor(code: string, ours: boolean, cause: unknown) {
    super(`The external provider answered ${code}`, { cause });
    this.name = 'ExternalRefusal';
    this.code = code;
    this.isConfigurationError = ours;
  }
}

export interface ExternalProvider {
  settings: ExternalSettings;
  /** Returns the redirect URL and the state to keep. Throws ExternalRefusal. */
  begin(options: {
    uid: string;
    language: string;
    prompt?: string | undefined;
    loginHint?: string | undefined;
    /** Require authentication now, regardless of existing sessions. */
    fresh?: boolean;
  }): Promise<{ address: URL; pending: PendingAuthorization }>;
  /** Validates the response in `query`; returns the identity and its ID token. Throws ExternalRefusal. */
  finish(
    query: URLSearchParams,
    pending: PendingAuthorization,
  ): Promise<ExternalIdentity & { idToken: string }>;
  /**
   * URL where the browser ends its session at the provider and returns to `/signed-out`; null when the
   * provider has no end-session endpoint. Throws ExternalRefusal.
   */
  signOut(options: { idToken: string; language: string }): Promise<URL | null>;
}

/** Milliseconds for which metadata and keys are cached. */
const discoveryTtlMs = 3_600_000;
const timeoutSeconds = 15;
/** Tolerated lag of the provider's clock in milliseconds. */
const clockToleranceMs = 60_000;
const replyParameters = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'session_state'];

/** Path of the redirect URI, within the public URL. */
export const externalPath = '/oidc/external';
/** Path of the post-logout redirect URI. */
const signedOutPath = '/signed-out';
/** Maximum characters of an ID token in a URL. */
const maxHintLength = 4_000;

export function createExternalProvider(
  settings: ExternalSettings,
  { publicUrl, clock }: { publicUrl: string; clock: Clock },
): ExternalProvider {
  const redirectUri = publicUrl + externalPath;
  let known: { at: number; configuration: Promise<oidc.Configuration> } | undefined;

  async function discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = settings;
    const execute = [oidc.enableNonRepudiationChecks];
    if (issuer.startsWith('http:')) execute.push(oidc.allowInsecureRequests);
    try {
      const found = await oidc.discovery(new URL(issuer), clientId, clientSecret, authentication([]), {
        execute,
        timeout: timeoutSeconds,
      });
      const server = found.serverMetadata();
      // When the metadata has no list, the default is client_secret_basic (OpenID Connect Discovery 1.0,
      // section 3).
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      const configuration = new oidc.Configuration(server, clientId, clientSecret, authentication(methods));
      configuration.timeout = timeoutSeconds;
      for (const extend of execute) extend(configuration);
      return configuration;
    } catch (cause) {
      throw new ExternalProviderError(isUnreachable(cause) ? 'unreachable' : 'discovery_failed', true, cause);
    }
  }

  function authentication(methods: readonly string[]): oidc.ClientAuth {
    const { clientSecret } = settings;
    if (clientSecret === undefined) return oidc.None();
    return methods.includes('client_secret_basic')
      ? oidc.ClientSecretBasic(clientSecret)
      : oidc.ClientSecretPost(clientSecret);
  }

  function configured(): Promise<oidc.Configuration> {
    if (known && known.at + discoveryTtlMs > clock.now()) return known.configuration;
    const entry = { at: clock.now(), configuration: discover() };
    known = entry;
    entry.configuration.catch(() => {
      if (known === entry) known = undefined;
    });
    return entry.configuration;
  }

  return {
    settings,
    async begin({ uid, language, prompt, loginHint, fresh = false }) {
      const configuration = await configured();
      const pending: PendingAuthorization = {
        state: `${uid}.${oidc.randomState()}`,
        verifier: oidc.randomPKCECodeVerifier(),
        nonce: oidc.randomNonce(),
        ...(fresh ? { since: clock.now() } : {}),
      };
      const address = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: settings.scope,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
        ui_locales: language,
        ...(prompt ? { prompt } : {}),
        ...(fresh ? { max_age: '0' } : {}),
        ...(loginHint ? { login_hint: loginHint } : {}),
      });
      return { address, pending };
    },

    async finish(query, pending) {
      const configuration = await configured();
      const here = new URL(redirectUri);
      for (const name of replyParameters) {
        const value = query.get(name);
        if (value !== null) here.searchParams.set(name, value);
      }
      try {
        const tokens = await oidc.authorizationCodeGrant(configuration, here, {
          pkceCodeVerifier: pending.verifier,
          expectedState: pending.state,
          expectedNonce: pending.nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims()!;
        assertFreshSignIn(claims.auth_time, pending);
        const more =
          claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
            ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : {};
        return { ...mapClaims(settings, { ...more, ...claims }), idToken: tokens.id_token! };
      } catch (cause) {
        if (cause instanceof ExternalProviderError) throw cause;
        throw toProviderError(cause);
      }
    },

    async signOut({ idToken, language }) {
      const configuration = await configured();
      if (!configuration.serverMetadata().end_session_endpoint) return null;
      return oidc.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: publicUrl + signedOutPath,
        ui_locales: language,
        // Without the hint the provider asks for confirmation; longer URLs are truncated or refused on the
        // way.
        ...(idToken.length <= maxHintLength ? { id_token_hint: idToken } : {}),
      });
    },
  };
}

/** The provider must report an authentication time after the request, within the clock tolerance. */
function assertFreshSignIn(authTime: unknown, { since }: PendingAuthorization): void {
  if (since === undefined) return;
  if (typeof authTime === 'number' && authTime * 1000 >= since - clockToleranceMs) return;
  throw new ExternalProviderError(
    'login_required',
    false,
    new Error('The provider let an older sign-in count'),
  );
}

function toProviderError(cause: unknown): ExternalProviderError {
  if (isUnreachable(cause)) return new ExternalProviderError('unreachable', true, cause);
  if (cause instanceof oidc.AuthorizationResponseError)
    return new ExternalProviderError(plainCode(cause.error), wrongClient.has(cause.error), cause);
  if (cause instanceof oidc.ResponseBodyError)
    return new ExternalProviderError(plainCode(cause.error), wrongClient.has(cause.error), cause);
  if (cause instanceof oidc.WWWAuthenticateChallengeError)
    return new ExternalProviderError('invalid_client', true, cause);
  return new ExternalProviderError('invalid_answer', false, cause);
}

/** No connection, no reply in time, or the reply of a gateway that gets none from the provider. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { cause, code } = error as Error & { code?: unknown };
  // fetch rejects with a TypeError whose cause is the error of the connection.
  if (error instanceof TypeError) return cause instanceof Error;
  return code === 'OAUTH_TIMEOUT' || (cause instanceof Response && [502, 503, 504].includes(cause.status));
}

/** Error codes caused by our registration at the provider. */
const wrongClient = new Set([
  'invalid_client',
  'unauthorized_client',
  'invalid_redirect_uri',
  'unsupported_response_type',
  'invalid_scope',
]);

/** The provider's reply is untrusted; valid codes are short identifiers. */
function plainCode(code: string): string {
  return /^[\w-]{1,64}$/.test(code) ? code : 'invalid_answer';
}
