// Blocks requests from network addresses that the space does not permit; receivers stay open to all senders.
import { ipBlockedDetail, Problem } from '@yagura/core/http/problem';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BlockedRequest } from '../audit/blocked-requests.ts';
import type { IpGuard } from './ip-guard.ts';

/**
 * Routes that stay open: callbacks of the telephone provider, and the files of the error page. The receiver of webhooks and
 * mails answers before this app.
 */
const openRoutes = /^\/(?:receive\/pigeon\/|assets\/|favicon\.|service-worker\.js$)/;
/** The error page, which the console serves under its common route. */
const errorPage = '/403';
const problemPaths = /^\/(?:api|oidc|receive)(?:[/?]|$)/;

export function rejectBlockedAddresses(
  app: FastifyInstance,
  guard: Pick<IpGuard, 'permits'>,
  note: (blocked: BlockedRequest) => void,
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (guard.permits(request.ip) || isOpen(request)) return;
    const { ip, method, url, headers } = request;
    note({ address: ip, userAgent: headers['user-agent'] ?? '', method, path: url.split('?')[0]! });
    const problem = new Problem('forbidden', { detail: ipBlockedDetail });
    if (problemPaths.test(url)) throw problem;
    const query = new URLSearchParams({ 'error-type': problem.type, 'error-detail': ipBlockedDetail });
    await reply.redirect(`${errorPage}?${query}`);
  });
}

/**
 * Decided by the route, because a path such as `/assets/../apps` begins like a file but is a page. Each file has a route of
 * its own.
 */
function isOpen({ url, routeOptions }: FastifyRequest): boolean {
  return openRoutes.test(routeOptions.url ?? '') || url.split('?', 1)[0] === errorPage;
}
