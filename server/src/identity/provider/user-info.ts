// The userinfo endpoint (OpenID Connect Core 1.0, section 5.3) for access tokens of the API.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '@yagura/core/http/problem';
import { errorFields } from '../../common/log.ts';
import { isTemporary } from '../../http/temporary-error.ts';
import type { IdentityContext } from '../identity-context.ts';
import type { Principal } from '../principal.ts';
import { findPersonClaims } from './provider-settings.ts';

type Headers = Record<string, string>;

/** Replies with the claims that ID tokens have; API tokens are refused, since they are no sign-in. */
export function createUserInfo(
  context: IdentityContext,
  authenticate: (headers: { authorization?: string | undefined }) => Promise<Principal>,
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  async function answer({ method, headers }: IncomingMessage): Promise<[number, Headers, unknown]> {
    if (method !== 'GET' && method !== 'POST')
      return [405, { allow: 'GET, POST' }, { error: 'invalid_request' }];
    const { authorization } = headers;
    // Without a credential the reply names no error (RFC 6750, section 3.1).
    if (!authorization)
      return [401, { 'www-authenticate': 'Bearer realm="yagura"' }, { error: 'invalid_token' }];
    const principal = await authenticate({ authorization }).catch((error: unknown) => {
      if (error instanceof Problem && error.status === 401) return undefined;
      throw error;
    });
    const found =
      principal?.kind === 'person' ? await findPersonClaims(context, principal.userId) : undefined;
    if (!found) {
      const challenge = 'Bearer realm="yagura", error="invalid_token"';
      return [401, { 'www-authenticate': challenge }, { error: 'invalid_token' }];
    }
    const { tokenEpoch: _, ...claims } = found;
    return [200, {}, claims];
  }

  return async (req, res) => {
    const [status, headers, body] = await answer(req).catch((error: unknown): [number, Headers, unknown] => {
      if (isTemporary(error)) return [503, { 'retry-after': '2' }, { error: 'temporarily_unavailable' }];
      context.log({ level: 'error', message: 'The claims of a user were not read', ...errorFields(error) });
      return [500, {}, { error: 'server_error' }];
    });
    res.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...headers,
    });
    res.end(JSON.stringify(body));
  };
}
