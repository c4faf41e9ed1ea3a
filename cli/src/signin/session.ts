// Selects the space and credential, and builds the transport for them.
import { Problem } from '@yagura/core/http/problem';
import {
  type ConnectionFailure,
  type Fetch,
  failureReason,
  type Transport,
} from '@yagura/core/http/transport';
import { UsageError } from '../command-line/usage-error.ts';
import { proxyOf, withoutPassword } from '../http/proxy.ts';
import { quickFetch, RedirectError } from '../http/quick-fetch.ts';
import { networkReasonText } from '../terminal/network-error-text.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { userAgent } from '../version.ts';
import { announceWaits } from './announce-wait.ts';
import { withReplyCheck } from './check-reply.ts';
import { isPlainHttp, parseOrigin } from './origin.ts';
import {
  assertKnownProfile,
  type Credential,
  isTokenText,
  type Profile,
  type Profiles,
  profilesPath,
  readProfiles,
} from './profiles.ts';

export interface Session {
  origin: string;
  /** Name of the profile that supplied the credential; undefined when the environment did. */
  profile: string | undefined;
  credential: Credential | undefined;
  transport: Transport;
}

/** A user's access token is renewed this many milliseconds before it expires. */
const renewalMarginMs = 30_000;

/**
 * Opens the session from the environment (`YAGURA_URL`, `YAGURA_TOKEN`), the selected profile, or the current
 * one. A profile's credential is only sent to the profile's own origin.
 */
export function openSession(terminal: Terminal): Session {
  const { env } = terminal;
  const address = env.YAGURA_URL ? parseOrigin(env.YAGURA_URL, 'YAGURA_URL') : undefined;
  const requestedProfile = terminal.profile ?? env.YAGURA_PROFILE;
  // When the environment supplies everything, no file is read.
  const stored: Profiles =
    address && env.YAGURA_TOKEN && !requestedProfile ? { profiles: {} } : readProfiles(env);
  const name = requestedProfile ?? stored.current;
  const profile: Profile | undefined = name ? stored.profiles[name] : undefined;
  if (requestedProfile) assertKnownProfile(stored, requestedProfile);
  const origin = address ?? profile?.url;
  if (!origin) {
    if (env.YAGURA_TOKEN) throw new UsageError('cli.usage.token-without-url');
    throw new Problem('sign-in-required');
  }
  if (env.YAGURA_TOKEN && !isTokenText(env.YAGURA_TOKEN)) throw new UsageError('cli.usage.token-characters');
  if (isPlainHttp(origin))
    printMessage(terminal, terminal.err.paint('warning', terminal.t('cli.bare-http', { origin })));
  const own = profile?.url === origin;
  const credential: Credential | undefined = env.YAGURA_TOKEN
    ? { kind: 'token', token: env.YAGURA_TOKEN }
    : own
      ? profile?.credential
      : undefined;
  const session: Session = {
    origin,
    profile: own && !env.YAGURA_TOKEN ? name : undefined,
    credential,
    transport: { origin, fetch: quickFetch, retry: { onWait: announceWaits(terminal) } },
  };
  const source = address ? 'YAGURA_URL' : terminal.t('cli.source.profile', { name, path: profilesPath(env) });
  session.transport.describeFailure = (failure) => describeFailure(terminal, { origin, source }, failure);
  session.transport.describeForeignReply = () =>
    terminal.t('cli.no-api-reply', { origin, source, status: 200 });
  session.transport.describeRefusal = () =>
    session.credential?.kind === 'token'
      ? terminal.t('cli.at-address', { origin, source, reason: terminal.t('cli.login.token-refused') })
      : undefined;
  session.transport.fetch = withSource(withRenewal(session, terminal), session.transport, {
    terminal,
    origin,
    source,
  });
  session.transport.headers = () => requestHeaders(session, terminal);
  return session;
}

async function requestHeaders(session: Session, terminal: Terminal): Promise<Record<string, string>> {
  if (!session.credential) throw new Problem('sign-in-required');
  return {
    'accept-language': terminal.language,
    'user-agent': userAgent,
    ...(await authorizationHeaders(session, terminal, terminal.now())),
  };
}

/** Whether the next request renews the credential first. */
export function mustRenew(credential: Credential | undefined, now: number): boolean {
  return credential?.kind === 'person' && credential.expiresAt - renewalMarginMs <= now;
}

async function authorizationHeaders(
  session: Session,
  terminal: Terminal,
  now: number,
): Promise<Record<string, string>> {
  const { credential } = session;
  if (credential?.kind === 'token') return { 'x-authorization': `Token ${credential.token}` };
  if (mustRenew(credential, now)) await renew(session, terminal);
  return { authorization: `Bearer ${(session.credential as { accessToken: string }).accessToken}` };
}

/**
 * A rejected access token may have been revoked before its expiry: it is renewed and the request retried
 * once.
 */
function withRenewal(session: Session, terminal: Terminal): Fetch {
  return async (url, init) => {
    const response = await quickFetch(url, init);
    if (response.status !== 401 || session.credential?.kind !== 'person') return response;
    await response.text();
    await renew(session, terminal);
    return quickFetch(url, {
      ...init,
      headers: {
        ...(init.headers as Record<string, string>),
        ...(await authorizationHeaders(session, terminal, 0)),
      },
    });
  };
}

/** Names the address of the space, where it was configured, and the proxy in between. */
function describeFailure(
  { t }: Terminal,
  { origin, source }: { origin: string; source: string },
  { reason, timeoutMs }: ConnectionFailure,
): string {
  const proxy = proxyOf(new URL(origin), process.env);
  return t(proxy ? 'cli.at-address-proxy' : 'cli.at-address', {
    origin,
    source,
    ...(proxy && { proxy: withoutPassword(proxy.url), variable: proxy.variable }),
    reason:
      timeoutMs === undefined
        ? networkReasonText(reason, t)
        : t('cli.no-response', { seconds: timeoutMs / 1000 }),
  });
}

/**
 * Errors name the address of the space and where it was configured, for callers of the bare fetch as well. The clock of
 * the space is read from its replies.
 */
function withSource(
  fetch: Fetch,
  transport: Transport,
  { terminal, origin, source }: { terminal: Terminal; origin: string; source: string },
): Fetch {
  const { t } = terminal;
  const checked = withReplyCheck(fetch, (kind, { path, status }) =>
    kind === 'web-page' && !isApiPath(path)
      ? new UsageError('cli.usage.web-page', { path, status })
      : new Problem('unreachable', { detail: t(`cli.${kind}`, { origin, source, status }) }),
  );
  return async (url, init) => {
    const response = await checked(url, init).catch((cause: Error) => {
      // Problems and usage errors are already complete, and an abort or a timeout is described by its caller.
      if (cause instanceof Problem || cause instanceof UsageError || init.signal?.aborted) throw cause;
      const { pathname: path } = new URL(url);
      if (cause instanceof RedirectError && !isApiPath(path))
        throw new UsageError('cli.usage.web-page', { path, status: cause.status });
      const detail = transport.describeFailure?.({ reason: failureReason(cause) });
      throw new Problem('unreachable', { detail, cause });
    });
    terminal.clockSkew.note(response.headers.get('date'), terminal.now());
    return response;
  };
}

/** The console answers to all other paths. */
const isApiPath = (path: string) => path.startsWith('/api/');

async function renew(session: Session, terminal: Terminal): Promise<void> {
  if (!session.profile || session.credential?.kind !== 'person') throw new Problem('sign-in-required');
  const { renewCredential } = await import('./renew-credential.ts');
  session.credential = await renewCredential(terminal, session.profile, session.credential);
}
