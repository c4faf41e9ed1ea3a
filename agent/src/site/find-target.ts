// Decides which address of a host may be contacted; the connection goes to exactly that address.
import { lookup as lookupName } from 'node:dns/promises';
import { isIP } from 'node:net';
import { permitsRequest } from './policy.ts';

export type LookupName = (host: string) => Promise<string[]>;

export const systemLookup: LookupName = async (host) =>
  (await lookupName(host, { family: 4, all: true })).map(({ address }) => address);

/** The first address of the host that the policy permits at this port; undefined if there is none. */
export async function findPermittedAddress(
  policy: Parameters<typeof permitsRequest>[0],
  host: string,
  port: number,
  lookup: LookupName = systemLookup,
): Promise<string | undefined> {
  const version = isIP(host);
  // Networks of a policy are IPv4.
  if (version === 6) return undefined;
  const addresses = version === 4 ? [host] : await lookup(host);
  return addresses.find((address) => permitsRequest(policy, address, port));
}
