/** Resolves host names with the system's resolver, without letting slow names take all worker threads of the process. */
import { promises as dns } from 'node:dns';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** All addresses of a name in the resolver's order; rejects with the resolver's code (ENOTFOUND, EAI_AGAIN). */
export type ResolveName = (name: string) => Promise<ResolvedAddress[]>;

/** getaddrinfo blocks one of libuv's four threads, which files and password hashing share. */
const lookupsAtOnce = 2;

/** A resolver that asks at most two names at once and once for the same name. It knows the hosts file, unlike plain DNS. */
export function createNameLookup(
  ask: ResolveName = (name) => dns.lookup(name, { all: true, order: 'verbatim' }),
): ResolveName {
  const underWay = new Map<string, Promise<ResolvedAddress[]>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function turn(name: string): Promise<ResolvedAddress[]> {
    if (running >= lookupsAtOnce) await new Promise<void>((resume) => waiting.push(resume));
    else running += 1;
    try {
      return await ask(name);
    } finally {
      const next = waiting.shift();
      // The place is handed on, not freed, so that a newcomer can't slip in between.
      if (next) next();
      else running -= 1;
      underWay.delete(name);
    }
  }

  return (name) => {
    const known = underWay.get(name);
    if (known) return known;
    const fresh = turn(name);
    underWay.set(name, fresh);
    return fresh;
  };
}
