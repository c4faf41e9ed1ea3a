// Names of addresses, as the site's name servers tell.
import { Resolver } from 'node:dns/promises';

const timeoutMs = 2000;
const maxNames = 10;
/** Milliseconds after which the name servers of the system are read again: they may have changed. */
const renewMs = 60_000;

export type ReverseLookup = (address: string) => Promise<string[]>;

/** Looks names up with the system's name servers; a name server that does not answer gives no names. */
export function createReverseLookup(
  now: () => number = () => performance.now(),
  create: () => Pick<Resolver, 'reverse'> = () => new Resolver({ timeout: timeoutMs, tries: 1 }),
): ReverseLookup {
  let last: { resolver: Pick<Resolver, 'reverse'>; at: number } | undefined;
  return async (address) => {
    if (!last || now() - last.at >= renewMs) last = { resolver: create(), at: now() };
    try {
      const names = await last.resolver.reverse(address);
      return names.filter((name) => name.length > 0 && name.length <= 255).slice(0, maxNames);
    } catch {
      return [];
    }
  };
}
