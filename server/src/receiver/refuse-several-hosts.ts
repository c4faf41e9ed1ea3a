// Refuses requests with several Host headers, as HTTP requires (RFC 9112, 3.2): a proxy before this server may have
// decided by another one of them than this server does.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem } from '@yagura/core/http/problem';
import { rejectUpgrade } from '../http/socket-routes.ts';
import { sendProblem } from './http-reply.ts';

/** Events of a server that hand over a request; the last one without a response. */
const requestEvents = new Set(['request', 'checkContinue', 'upgrade']);

/** Answers such requests with 400 before any listener of the server gets them; `headers` are added. */
export function refuseSeveralHosts(server: Server, headers: Record<string, string>): void {
  const emit = server.emit.bind(server) as (event: string, ...values: unknown[]) => boolean;
  server.emit = ((event: string, ...values: unknown[]) => {
    if (!requestEvents.has(event) || !hasSeveralHosts(values[0] as IncomingMessage))
      return emit(event, ...values);
    const problem = new Problem('invalid', { detail: 'the request has several Host headers' });
    const [request, to] = values as [IncomingMessage, ServerResponse | Duplex];
    if (event === 'upgrade')
      rejectUpgrade(
        (to as Duplex).on('error', () => undefined),
        problem,
        headers,
      );
    else
      sendProblem(request, to as ServerResponse, problem, {
        headers: { ...headers, 'cache-control': 'no-store' },
        instance: '/',
      });
    return true;
  }) as Server['emit'];
}

function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts += 1;
  return hosts > 1;
}
