// Session of a signed-in user: tokens in an encrypted cookie, renewed before they expire.
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import type { ConsoleContext } from '../context.ts';
import { pageUserHeader } from './browser/page-user.ts';
import { otherUser, signInRequiredHeader } from './browser/watch-session.ts';
import { oidcProvider } from './provider.server.ts';
import { sealedCookie } from './sealed-cookie.server.ts';

export interface Session {
  accessToken: string;
  refreshToken: string | null;
  idToken: string | null;
  /** Expiry of the access token in milliseconds since the epoch. */
  expiresAt: number;
}

/** Idle timeout of a session in seconds. */
const idleTimeoutSeconds = 14 * 24 * 3600;
/**
 * Time before expiry at which tokens are renewed, in milliseconds, so that no token expires during a request.
 */
const renewBeforeExpiryMs = 60_000;
/**
 * Time in milliseconds for which a renewal's result serves requests that still have the old refresh token.
 */
const renewalCacheTtlMs = 60_000;

interface RequestSession {
  session: Promise<Session | null>;
  /** Set-Cookie lines for the response. */
  cookies: string[];
  /** User that the page of the request shows. */
  pageUser: string | null;
}

/** One entry per request: each request has a new context object. */
const requestSessions = new WeakMap<object, RequestSession>();
const renewals = new Map<string, { at: number; renewed: Promise<Session | null> }>();

/** Returns the request's session, renewed if it is about to expire; null if there is none. */
export function getSession(request: Request, context: ConsoleContext): Promise<Session | null> {
  const found = requestSessions.get(context);
  if (found) return found.session;
  const entry: RequestSession = {
    session: Promise.resolve(null),
    cookies: [],
    pageUser: request.headers.get(pageUserHeader),
  };
  requestSessions.set(context, entry);
  entry.session = readSession(request, context, entry);
  return entry.session;
}

/** Returns the Set-Cookie lines of a new or renewed session. */
export function sealSession(context: ConsoleContext, session: Session): Promise<string[]> {
  return sealedCookie(context, 'session').seal(session, idleTimeoutSeconds);
}

/** Returns the Set-Cookie lines that end the session in this browser. */
export function clearSession(request: Request, context: ConsoleContext): string[] {
  return sealedCookie(context, 'session').clear(request);
}

/**
 * Adds the cookies of a session read during the request to the response, unless it sets the session itself, as that of
 * the sign-out does. Tells the page if the session is that of another user.
 */
export async function appendSessionCookies(context: ConsoleContext, headers: Headers): Promise<void> {
  const entry = requestSessions.get(context);
  if (!entry) return;
  // The page has told why it failed.
  await entry.session.catch(() => null);
  if (await isOtherUser(context)) headers.set(signInRequiredHeader, otherUser);
  const own = `${sealedCookie(context, 'session').name}.`;
  if (headers.getSetCookie().some((line) => line.startsWith(own))) return;
  for (const cookie of entry.cookies) headers.append('set-cookie', cookie);
}

/** Returns whether the page of the request shows another user than that of its session. */
export async function isOtherUser(context: ConsoleContext): Promise<boolean> {
  const entry = requestSessions.get(context);
  if (!entry?.pageUser) return false;
  const session = await entry.session.catch(() => null);
  const userId = session?.idToken && subjectOf(session.idToken);
  return Boolean(userId) && userId !== entry.pageUser;
}

/** The claim is trusted: the token comes from the sealed cookie, and was verified when it was received. */
function subjectOf(idToken: string): string | undefined {
  try {
    return decodeJwt(idToken).sub;
  } catch {
    return undefined;
  }
}

/** Builds a session from a token response. Without refresh token rotation the old token is kept. */
export function sessionFrom(
  tokens: oidc.TokenEndpointResponse,
  previous: Session | null,
  now = Date.now(),
): Session {
  return {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? previous?.refreshToken ?? null,
    idToken: tokens.id_token ?? previous?.idToken ?? null,
    expiresAt: now + (tokens.expires_in ?? 300) * 1000,
  };
}

async function readSession(
  request: Request,
  context: ConsoleContext,
  entry: RequestSession,
): Promise<Session | null> {
  const session = parseSession(await sealedCookie(context, 'session').open(request));
  if (!session) return null;
  if (session.expiresAt - renewBeforeExpiryMs > Date.now()) return session;
  const renewed = await renew(session, context);
  entry.cookies = renewed ? await sealSession(context, renewed) : clearSession(request, context);
  return renewed;
}

/**
 * Requests with the same refresh token share one renewal: providers with rotation may end the session at a second
 * one. Ours allows it for a minute, for tabs that reach different servers.
 */
function renew(session: Session, context: ConsoleContext): Promise<Session | null> {
  const token = session.refreshToken;
  if (!token) return Promise.resolve(session.expiresAt > Date.now() ? session : null);
  const now = Date.now();
  for (const [key, entry] of renewals) if (now - entry.at > renewalCacheTtlMs) renewals.delete(key);
  const key = `${context.issuer} ${token}`;
  const found = renewals.get(key);
  if (found) return found.renewed;
  const renewed = refresh(session, token, context);
  renewals.set(key, { at: now, renewed });
  // The provider may answer the next request.
  renewed.catch(() => renewals.delete(key));
  return renewed;
}

async function refresh(session: Session, token: string, context: ConsoleContext): Promise<Session | null> {
  try {
    const tokens = await oidc.refreshTokenGrant(await oidcProvider(context), token);
    return sessionFrom(tokens, session);
  } catch (error) {
    // Errors such as invalid_grant and login_required end the session; an unreachable provider must not.
    if (error instanceof oidc.ResponseBodyError) return null;
    if (session.expiresAt > Date.now()) return session;
    throw error;
  }
}

function parseSession(value: unknown): Session | null {
  if (typeof value !== 'object' || value === null) return null;
  const { accessToken, refreshToken, idToken, expiresAt } = value as Partial<Session>;
  if (typeof accessToken !== 'string' || typeof expiresAt !== 'number') return null;
  return { accessToken, expiresAt, refreshToken: refreshToken ?? null, idToken: idToken ?? null };
}
