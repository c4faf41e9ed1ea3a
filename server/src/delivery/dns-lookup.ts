/** Resolves host names with the system resolver, without letting slow lookups occupy all libuv threads. */
import { promises as dns } from 'node:dns';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/**
 * Returns all addresses of a name in the resolver's order; rejects with the resolver's code (ENOTFOUND,
 * EAI_AGAIN).
 */
export type ResolveHost = (name: string) => Promise<ResolvedAddress[]>;

/**
 * Maximum concurrent lookups: getaddrinfo blocks one of libuv's four threads, which file access and password
 * hashing also use.
 */
const maxConcurrentLookups = 2;

/**
 * A resolver with at most two concurrent lookups and one per name. Unlike plain DNS, it uses the hosts file.
 */
export function createDnsLookup(
  resolve: ResolveHost = (name) => dns.lookup(name, { all: true, order: 'verbatim' }),
): ResolveHost {
  const pending = new Map<string, Promise<ResolvedAddress[]>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function lookUp(name: string): Promise<ResolvedAddress[]> {
    if (running >= maxConcurrentLookups) await new Promise<void>((resume) => waiting.push(resume));
    else running += 1;
    try {
      return await resolve(name);
    } finally {
      const next = waiting.shift();
      // The slot is passed to the next waiter instead of freed, so that no newcomer takes it in between.
      if (next) next();
      else running -= 1;
      pending.delete(name);
    }
  }

  return (name) => {
    const known = pending.get(name);
    if (known) return known;
    const fresh = lookUp(name);
    pending.set(name, fresh);
    return fresh;
  };
}
