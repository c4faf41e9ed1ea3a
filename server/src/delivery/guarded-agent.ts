/**
 * Connection pool of all outgoing webhooks: keep-alive, limited per target, connecting through the address
 * guard.
 */
import { Agent, buildConnector, Pool } from 'undici';
import type { AddressGuard } from './address-guard.ts';

export interface GuardedAgentOptions {
  guard: AddressGuard;
  connectTimeoutMs: number;
  /** Maximum connections to one origin; further requests to it wait, requests to others do not. */
  connections: number;
  /** PEM certificates to trust instead of the built-in ones. */
  authorities?: string[];
}

/** Milliseconds an idle connection is kept, unless the target specifies less. */
const keepAliveMs = 15_000;
/** Milliseconds after which the next address of a name is tried if one does not respond (RFC 8305). */
const nextAddressAfterMs = 1000;
const maxHeadersLength = 32_768;

/**
 * An undici agent that follows no redirects and has a pool per origin, so that an unresponsive one does not
 * block others.
 */
export function createGuardedAgent(options: GuardedAgentOptions): Agent {
  return new Agent({
    factory: (origin, inherited) =>
      new Pool(origin, {
        ...inherited,
        connections: options.connections,
        pipelining: 1,
        keepAliveTimeout: keepAliveMs,
        keepAliveMaxTimeout: 60_000,
        maxHeaderSize: maxHeadersLength,
        connect: guardedConnector(new URL(origin), options),
      }),
  });
}

function guardedConnector(origin: URL, options: GuardedAgentOptions): buildConnector.connector {
  const port = Number(origin.port) || (origin.protocol === 'https:' ? 443 : 80);
  const dial = buildConnector({
    port,
    timeout: options.connectTimeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    lookup: options.guard.lookup(port),
    ca: options.authorities,
  });
  return (target, callback) => {
    try {
      // Sockets skip the lookup for IP addresses, so these are checked here and names in the lookup.
      options.guard.check(target.hostname, port);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    dial(target, callback);
  };
}
