// Limits open connections, in total and per client network, so that no client can use up the descriptors.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import { Problem } from '@yagura/core/http/problem';
import type { Clock } from '../common/clock.ts';
import type { Log } from '../common/log.ts';
import { networkPrefixOf } from '../common/network-prefix.ts';
import { problemResponse } from './client-error.ts';
import type { ConnectionLimits } from './connection-limits.ts';

export interface ConnectionLimiterOptions extends ConnectionLimits {
  /** Addresses and CIDRs of proxies, which carry the connections of many clients. */
  trustedProxies: string[];
  /** Added to the answer of a refused connection. */
  headers: Record<string, string>;
  clock: Pick<Clock, 'now' | 'after'>;
  log: Log;
}

/** After a logged refusal, further ones are only counted for this time. */
const logIntervalMs = 60_000;
/** How long a refused connection stays open for the client to read the response, and how many may do so. */
const lingerMs = 1000;
const maxLingering = 32;

/**
 * Answers 503 on each connection beyond a limit and closes it. At the total limit, idle kept-alive connections
 * are closed, so that they do not keep out clients that have something to send.
 */
export function limitConnections(server: Server, options: ConnectionLimiterOptions): void {
  const { connections, connectionsPerAddress, clock, log } = options;
  const isTrusted =
    options.trustedProxies.length > 0 ? proxyAddress.compile(options.trustedProxies) : () => false;
  const tooManyConnections = problemResponse(
    new Problem('unavailable', { detail: 'too many connections are open; try again later' }),
    { ...options.headers, 'retry-after': '5' },
  );
  const open = new Set<Socket>();
  const perNetwork = new Map<string, number>();
  const lingering = new Set<Socket>();
  let refusals = 0;
  let cancelReport: (() => void) | undefined;

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = isTrusted(address, 0) ? undefined : networkPrefixOf(address);
    if (network !== undefined && (perNetwork.get(network) ?? 0) >= connectionsPerAddress)
      return refuse(socket, 'connectionsPerAddress');
    if (open.size >= connections && !makeSpace()) return refuse(socket, 'connections');
    open.add(socket);
    if (network !== undefined) perNetwork.set(network, (perNetwork.get(network) ?? 0) + 1);
    socket.once('close', () => {
      open.delete(socket);
      if (network === undefined) return;
      const left = perNetwork.get(network)! - 1;
      if (left > 0) perNetwork.set(network, left);
      else perNetwork.delete(network);
    });
  });
  server.once('close', () => cancelReport?.());

  function makeSpace(): boolean {
    server.closeIdleConnections();
    for (const socket of open) if (socket.destroyed) return true;
    return false;
  }

  function refuse(socket: Socket, limit: keyof ConnectionLimits): void {
    report(socket.remoteAddress, limit);
    if (lingering.size >= maxLingering) return void socket.destroy();
    lingering.add(socket);
    // Detaches the HTTP parser: what the client sends is discarded.
    socket.removeAllListeners('data');
    socket.on('data', () => undefined);
    socket.on('error', () => undefined);
    // Closing at once could reset the connection before the client has read the response.
    const cancel = clock.after(lingerMs, () => socket.destroy());
    socket.once('close', () => {
      cancel();
      lingering.delete(socket);
    });
    socket.end(tooManyConnections);
  }

  function report(address: string | undefined, limit: keyof ConnectionLimits): void {
    refusals += 1;
    if (cancelReport) return;
    log({ level: 'warn', message: 'a connection was refused: too many are open', limit, address });
    refusals = 0;
    cancelReport = clock.after(logIntervalMs, () => {
      cancelReport = undefined;
      if (refusals > 0)
        log({ level: 'warn', message: 'connections were refused: too many are open', count: refusals });
      refusals = 0;
    });
  }
}
