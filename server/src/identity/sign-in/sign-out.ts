// Ending a browser's session at the provider (OpenID Connect RP-Initiated Logout 1.0).
import type { KoaContextWithOIDC, default as Provider, Session } from 'oidc-provider';
import { webClientId } from '../tokens/embedded-issuer.ts';

/** True when our own console asks, with an ID token of the very person whose session it is: no question is needed. */
export function isOwnSignOut({ oidc }: KoaContextWithOIDC): boolean {
  const hint = oidc.entities.IdTokenHint as { payload?: { sub?: unknown } } | undefined;
  return oidc.client?.clientId === webClientId && hint?.payload?.sub === oidc.session?.accountId;
}

/** Ends the session and what was issued within it; sign-ins of the command line outlive the browser's session. */
export async function endSession(provider: Provider, session: Session): Promise<void> {
  for (const { grantId, persistsLogout } of Object.values(session.authorizations ?? {})) {
    if (!grantId || persistsLogout) continue;
    await provider.RefreshToken.revokeByGrantId(grantId);
    const grant = await provider.Grant.find(grantId);
    await grant?.destroy();
  }
  await session.destroy();
}

/** Sends the browser to where the client wanted it, which the provider has checked, or to a page that says it is done; `instead` replaces the client's wish. */
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
