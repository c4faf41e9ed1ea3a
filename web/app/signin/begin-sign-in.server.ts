// Starts a sign-in: stores the requested path and redirects to the provider.
import { redirectDocument } from '@remix-run/node';
import * as oidc from 'openid-client';
import type { ConsoleContext } from '../context.ts';
import { parseCookies } from '../preferences/parse-cookies.ts';
import { signInRequiredHeader } from './browser/watch-session.ts';
import { oidcProvider } from './provider.server.ts';
import { returnPath } from './return-path.ts';
import { sealedCookie } from './sealed-cookie.server.ts';
import { clearSession } from './session.server.ts';

export interface PendingSignIn {
  state: string;
  verifier: string;
  nonce: string;
  path: string;
}

/** Lifetime of a pending sign-in in seconds. */
const signInTimeoutSeconds = 900;
const oidcScope = 'openid profile email offline_access';
/** Maximum pending sign-ins per browser, one per tab. */
const maxPending = 5;

/** Returns the cookie of one sign-in; several tabs may sign in at once. */
export function pendingCookie(context: ConsoleContext, state: string) {
  return sealedCookie(context, `signin-${state.slice(0, 12)}`);
}

/**
 * Returns a redirect to the provider that comes back to the path of `request`. `again` reauthenticates a
 * signed-in user, whose session stays valid meanwhile.
 */
export async function beginSignIn(
  request: Request,
  context: ConsoleContext,
  { again = false }: { again?: boolean } = {},
): Promise<Response> {
  const url = new URL(request.url);
  const returnTo = request.method === 'GET' ? url.pathname + url.search : refererPath(request);
  const pending: PendingSignIn = {
    state: oidc.randomState(),
    verifier: oidc.randomPKCECodeVerifier(),
    nonce: oidc.randomNonce(),
    path: returnPath(returnTo),
  };
  const configuration = await oidcProvider(context);
  const authorizationUrl = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: `${context.origin}/authorize`,
    scope: oidcScope,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    ...(again ? { prompt: 'login', max_age: '0' } : {}),
  });
  const headers = new Headers({ 'cache-control': 'no-store' });
  // Lets the page hold an expired request until the user has signed in again.
  if (!again) headers.set(signInRequiredHeader, 'required');
  const cookies = [
    ...(again ? [] : clearSession(request, context)),
    ...clearOldestPending(request, context),
    ...(await pendingCookie(context, pending.state).seal(pending, signInTimeoutSeconds)),
  ];
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return redirectDocument(authorizationUrl.href, { headers });
}

function refererPath(request: Request): string {
  const referer = request.headers.get('referer');
  if (!referer || !URL.canParse(referer)) return '/';
  const { pathname, search } = new URL(referer);
  return pathname + search;
}

/**
 * Removes the oldest cookies of abandoned sign-ins if there are too many, to keep the headers small. Browsers send
 * older cookies first (RFC 6265, section 5.4).
 */
export function clearOldestPending(
  request: Request,
  context: Pick<ConsoleContext, 'origin' | 'cookieSecret'>,
): string[] {
  const prefix = sealedCookie(context, 'signin-').name;
  const names = [...parseCookies(request).keys()].filter((name) => name.startsWith(prefix));
  const oldest = names.slice(0, Math.max(0, names.length - maxPending + 1));
  const secure = context.origin.startsWith('https:') ? '; Secure' : '';
  return oldest.map((name) => `${name}=; Path=/; HttpOnly; SameSite=Lax${secure}; Max-Age=0`);
}
