// Blocks requests from network addresses that the space does not permit; receivers stay open to all senders.
import { ipBlockedDetail, Problem } from '@yagura/core/http/problem';
import type { FastifyInstance } from 'fastify';
import type { BlockedRequest } from '../audit/blocked-requests.ts';
import type { IpGuard } from './ip-guard.ts';

/** Unrestricted paths: receivers, the error page and its assets. */
const openPaths = /^\/(?:receive\/|403(?:[?/]|$)|assets\/|favicon|service-worker\.js)/;
const problemPaths = /^\/(?:api|oidc)(?:[/?]|$)/;

export function rejectBlockedAddresses(
  app: FastifyInstance,
  guard: Pick<IpGuard, 'permits'>,
  note: (blocked: BlockedRequest) => void,
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (guard.permits(request.ip) || openPaths.test(request.url)) return;
    const { ip, method, url, headers } = request;
    note({ address: ip, userAgent: headers['user-agent'] ?? '', method, path: url.split('?')[0]! });
    const problem = new Problem('forbidden', { detail: ipBlockedDetail });
    if (problemPaths.test(request.url)) throw problem;
    const query = new URLSearchParams({ 'error-type': problem.type, 'error-detail': ipBlockedDetail });
    await reply.redirect(`/403?${query}`);
  });
}
