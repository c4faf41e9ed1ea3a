// Addresses of a trunk (RFC 3263 without NAPTR): literal, by SRV record if no port is given, or by name.
import { isIP } from 'node:net';
import { DetailedError } from '../../common/detail.ts';
import { translatable } from '../../common/translatable-text.ts';
import type { AgentContext } from './agent-context.ts';
import type { Endpoint, Network } from './network.ts';
import type { SipTransport } from './user-agent.ts';

const services: Record<SipTransport, string> = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' };
const maxEndpoints = 16;

export const defaultPort = (transport: SipTransport): number => (transport === 'tls' ? 5061 : 5060);

/**
 * The endpoints in the order in which they are tried, in the IP version of the sockets. Throws if the name is unknown
 * or has no such address.
 */
export async function resolveEndpoints(
  { network, family }: Pick<AgentContext, 'network' | 'family'>,
  transport: SipTransport,
  host: string,
  port: number | undefined,
): Promise<Endpoint[]> {
  const endpoints = (await findEndpoints(network, transport, host, port)).filter(
    ({ address }) => isIP(address) === family,
  );
  if (endpoints.length === 0)
    throw new DetailedError(translatable('pigeon.detail.no-address', { host, family }));
  return endpoints.slice(0, maxEndpoints);
}

async function findEndpoints(
  network: Network,
  transport: SipTransport,
  host: string,
  port: number | undefined,
): Promise<Endpoint[]> {
  if (isIP(host) !== 0) return [{ address: host, port: port ?? defaultPort(transport) }];
  const endpoints: Endpoint[] = [];
  const services = port === undefined ? await lookupServices(network, transport, host) : [];
  for (const service of services) {
    // One of several servers may be unknown.
    const addresses = await network.lookupAddresses(service.name).catch(() => []);
    endpoints.push(...addresses.map((address) => ({ address, port: service.port })));
  }
  if (endpoints.length === 0) {
    const addresses = await network.lookupAddresses(host);
    endpoints.push(...addresses.map((address) => ({ address, port: port ?? defaultPort(transport) })));
  }
  return endpoints;
}

/** SRV records by priority, heavier ones first; none if there are none or the lookup failed. */
async function lookupServices(network: Network, transport: SipTransport, host: string) {
  const records = await network.lookupService(`${services[transport]}.${host}`).catch(() => []);
  return records.sort((a, b) => a.priority - b.priority || b.weight - a.weight).slice(0, 8);
}
