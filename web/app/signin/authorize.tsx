// Callback of the provider: completes the sign-in and redirects to the requested path.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { data, redirectDocument } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import * as oidc from 'openid-client';
import { LinkButton } from '../ui/button.tsx';
import { useTranslation } from '../ui/translation.tsx';
import { type PendingSignIn, pendingCookie } from './begin-sign-in.server.ts';
import { oidcProvider } from './provider.server.ts';
import { returnPath } from './return-path.ts';
import { sealSession, sessionFrom } from './session.server.ts';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const state = url.searchParams.get('state') ?? '';
  if (!/^[\w-]{16,128}$/.test(state)) throw redirectDocument('/');
  const cookie = pendingCookie(context, state);
  const pending = (await cookie.open(request)) as PendingSignIn | null;
  // Without a pending sign-in this is an old tab or a foreign link; start over at home.
  if (!pending || pending.state !== state) throw redirectDocument('/');
  const headers = new Headers({ 'cache-control': 'no-store' });
  for (const line of cookie.clear(request)) headers.append('set-cookie', line);
  try {
    const here = new URL(`${context.origin}/authorize${url.search}`);
    const tokens = await oidc.authorizationCodeGrant(await oidcProvider(context), here, {
      pkceCodeVerifier: pending.verifier,
      expectedState: pending.state,
      expectedNonce: pending.nonce,
      idTokenExpected: true,
    });
    for (const line of await sealSession(context, sessionFrom(tokens, null)))
      headers.append('set-cookie', line);
  } catch (error) {
    const reason = signInErrorReason(error);
    // The session at the provider has ended: start a new sign-in instead of showing an error.
    if (reason === 'login_required') throw redirectDocument(returnPath(pending.path), { headers });
    return data({ reason, path: returnPath(pending.path) }, { status: 400, headers });
  }
  throw redirectDocument(returnPath(pending.path), { headers });
}

export default function Authorize() {
  const { reason, path } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <div className="space-y-3">
      <h1 className="text-xl font-semibold">{t('page.sign-in-failed')}</h1>
      <p className="text-muted">
        {reason === 'access_denied' ? t('page.sign-in-denied') : t('page.sign-in-failed-detail', { reason })}
      </p>
      <LinkButton to={path} reloadDocument variant="primary">
        {t('page.sign-in-again')}
      </LinkButton>
    </div>
  );
}

function signInErrorReason(error: unknown): string {
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError)
    return error.error;
  return error instanceof Error ? error.message : String(error);
}
