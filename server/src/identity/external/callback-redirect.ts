// Resolves the provider's redirect URI to the sign-in in progress that the response belongs to.
import { externalPath } from './external-provider.ts';

const statePattern = /^([\w-]{1,64})\.[\w-]{20,128}$/;

/**
 * Returns the path of the sign-in in progress with the response in its query, since the browser sends the
 * sign-in cookie only to that path. '/' when the response names none; undefined when the request is no such
 * response.
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
