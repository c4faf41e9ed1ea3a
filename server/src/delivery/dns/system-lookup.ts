/** Resolves host names with the system resolver, without letting slow lookups occupy all libuv threads. */
import { promises as dns } from 'node:dns';
import { type ResolveHost, shareByName } from './resolve-host.ts';

/**
 * Maximum concurrent lookups: getaddrinfo blocks one of libuv's four threads, which file access and password
 * hashing also use.
 */
const maxConcurrentLookups = 2;

/** A resolver with at most two concurrent lookups and one per name; it uses all sources that the system has. */
export function createSystemLookup(
  resolve: ResolveHost = (name) => dns.lookup(name, { all: true, order: 'verbatim' }),
): ResolveHost {
  const waiting: (() => void)[] = [];
  let running = 0;

  return shareByName(async (name) => {
    if (running >= maxConcurrentLookups) await new Promise<void>((resume) => waiting.push(resume));
    else running += 1;
    try {
      return await resolve(name);
    } finally {
      const next = waiting.shift();
      // The slot is passed to the next waiter instead of freed, so that no newcomer takes it in between.
      if (next) next();
      else running -= 1;
    }
  });
}
