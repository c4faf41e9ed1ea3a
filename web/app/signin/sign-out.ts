// Ends the session in the console and at the provider.
import type { ActionFunctionArgs } from '@remix-run/node';
import { redirect, redirectDocument } from '@remix-run/node';
import * as oidc from 'openid-client';
import { oidcProvider } from './provider.server.ts';
import { rejectCrossSiteRequest } from './same-origin.server.ts';
import { clearSession, getSession } from './session.server.ts';

export const loader = () => redirect('/');

export async function action({ request, context }: ActionFunctionArgs) {
  rejectCrossSiteRequest(request, context);
  const session = await getSession(request, context).catch(() => null);
  const headers = new Headers({ 'cache-control': 'no-store', 'clear-site-data': '"cache"' });
  for (const line of clearSession(request, context)) headers.append('set-cookie', line);
  if (!session?.idToken) return redirectDocument('/signed-out', { headers });
  const configuration = await oidcProvider(context).catch(() => null);
  if (!configuration?.serverMetadata().end_session_endpoint)
    return redirectDocument('/signed-out', { headers });
  const target = oidc.buildEndSessionUrl(configuration, {
    post_logout_redirect_uri: `${context.origin}/`,
    id_token_hint: session.idToken,
  });
  return redirectDocument(target.href, { headers });
}
