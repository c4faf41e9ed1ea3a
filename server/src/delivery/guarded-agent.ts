/** The pool of connections of all outgoing webhooks: kept alive, bounded for each target, and dialled through the guard. */
import { Agent, buildConnector, Pool } from 'undici';
import type { AddressGuard } from './address-guard.ts';

export interface GuardedAgentOptions {
  guard: AddressGuard;
  connectTimeoutMs: number;
  /** Open connections to one origin; further requests to it wait, requests to others do not. */
  connections: number;
  /** PEM certificates to trust instead of the built-in ones. */
  authorities?: string[];
}

/** How long an unused connection is kept, unless the target names a shorter time. */
const keepAliveMs = 15_000;
/** An address that does not answer gives way to the next one of its name after this time (RFC 8305). */
const nextAddressAfterMs = 1000;
const maxHeadersLength = 32_768;

/** An undici agent that follows no redirects and gives every origin its own pool, so that a dead one holds up nobody else. */
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
      // A socket asks no lookup for an address, so addresses are judged here and names in the lookup.
      options.guard.check(target.hostname, port);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    dial(target, callback);
  };
}
