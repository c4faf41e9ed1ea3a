// Names of addresses, as the site's name servers tell.
import { Resolver } from 'node:dns/promises';

const timeoutMs = 2000;
const maxNames = 10;

export type ReverseLookup = (address: string) => Promise<string[]>;

/** Looks names up with the system's name servers; a name server that does not answer gives no names. */
export function createReverseLookup(): ReverseLookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  return async (address) => {
    try {
      const names = await resolver.reverse(address);
      return names.filter((name) => name.length > 0 && name.length <= 255).slice(0, maxNames);
    } catch {
      return [];
    }
  };
}
