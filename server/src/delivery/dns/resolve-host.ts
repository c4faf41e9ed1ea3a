/** What the resolvers of host names have in common. */

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Returns all addresses of a name, at least one; rejects with an error that has a `code` such as ENOTFOUND. */
export type ResolveHost = (name: string) => Promise<ResolvedAddress[]>;

/** Concurrent lookups of the same name share one. */
export function shareByName(resolve: ResolveHost): ResolveHost {
  const pending = new Map<string, Promise<ResolvedAddress[]>>();
  return (name) => {
    const known = pending.get(name);
    if (known) return known;
    const fresh = resolve(name).finally(() => pending.delete(name));
    pending.set(name, fresh);
    return fresh;
  };
}
