// The one address to which the external provider sends people back, and the sign-in under way that they belong to.
import { externalPath } from './external-provider.ts';

const statePattern = /^([\w-]{1,64})\.[\w-]{20,128}$/;

/**
 * The page of the sign-in under way, with the reply in its query; only there the browser shows the cookie that proves
 * that it began the sign-in. '/' when the reply names none; undefined when the request is no such reply.
 */
export function callbackRedirect(url: string | undefined): string | undefined {
  const [path, search = ''] = (url ?? '').split('?', 2);
  if (path !== externalPath) return undefined;
  const query = new URLSearchParams(search);
  const uid = statePattern.exec(query.get('state') ?? '')?.[1];
  if (!uid) return '/';
  query.set('external', 'back');
  return `/oidc/interaction/${uid}?${query}`;
}
