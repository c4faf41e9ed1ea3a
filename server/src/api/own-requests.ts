// Requests that the server makes to itself for a caller whose access token may expire before the last of them.
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../identity/principal.ts';

const headerName = 'x-yagura-own-request';
const callers = new Map<string, Principal>();

/** Headers of requests for the caller, valid until `end`. Their secret is held in memory only. */
export function actFor(caller: Principal): { headers: Record<string, string>; end: () => void } {
  const secret = randomBytes(32).toString('base64url');
  callers.set(secret, caller);
  return { headers: { [headerName]: secret }, end: () => void callers.delete(secret) };
}

/** The caller as of `actFor`, who may have lost permissions since; undefined for requests from elsewhere. */
export function callerOfOwnRequest(headers: IncomingHttpHeaders): Principal | undefined {
  const secret = headers[headerName];
  return typeof secret === 'string' ? callers.get(secret) : undefined;
}
