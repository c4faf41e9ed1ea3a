// Ends a browser's session at the provider (OpenID Connect RP-Initiated Logout 1.0).
import type { KoaContextWithOIDC, default as Provider, Session } from 'oidc-provider';
import { webClientId } from '../tokens/embedded-issuer.ts';

/**
 * True when the request comes from our console with an ID token of the session's user; no confirmation is
 * needed.
 */
export function isConsoleSignOut({ oidc }: KoaContextWithOIDC): boolean {
  const hint = oidc.entities.IdTokenHint as { payload?: { sub?: unknown } } | undefined;
  return oidc.client?.clientId === webClientId && hint?.payload?.sub === oidc.session?.accountId;
}

/** Ends the session and the grants issued within it; CLI sign-ins outlive the browser session. */
export async function endSession(provider: Provider, session: Session): Promise<void> {
  for (const { grantId, persistsLogout } of Object.values(session.authorizations ?? {})) {
    if (!grantId || persistsLogout) continue;
    await provider.RefreshToken.revokeByGrantId(grantId);
    const grant = await provider.Grant.find(grantId);
    await grant?.destroy();
  }
  await session.destroy();
}

/**
 * Redirects the browser to the client's post-logout URI, already validated by the provider, or to the
 * signed-out page; `instead` overrides the client's URI.
 */
export function finishSignOut(ctx: KoaContextWithOIDC, instead?: string): void {
  const { oidc } = ctx;
  const { post_logout_redirect_uri: wanted, state } = oidc.params ?? {};
  const target = new URL(
    instead ?? (typeof wanted === 'string' ? wanted : oidc.urlFor('end_session_success')),
  );
  if (typeof wanted === 'string' && typeof state === 'string') target.searchParams.set('state', state);
  ctx.cookies.set(oidc.provider.cookieName('session'), null, { httpOnly: true, sameSite: 'lax' });
  ctx.status = 303;
  ctx.redirect(target.href);
}
