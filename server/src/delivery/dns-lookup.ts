/** Resolves host names with the system's resolver, without letting slow names take all worker threads of the process. */
import { promises as dns } from 'node:dns';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** All addresses of a name in the resolver's order; rejects with the resolver's code (ENOTFOUND, EAI_AGAIN). */
export type ResolveHost = (name: string) => Promise<ResolvedAddress[]>;

/** getaddrinfo blocks one of libuv's four threads, which files and password hashing share. */
const maxConcurrentLookups = 2;

/** A resolver that asks at most two names at once and once for the same name. It knows the hosts file, unlike plain DNS. */
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
      // The place is handed on, not freed, so that a newcomer can't slip in between.
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
