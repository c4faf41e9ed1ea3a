// The IPv4 networks that this machine is a member of.
import { networkInterfaces } from 'node:os';
import { ipv4Network } from '@yagura/core/sonar/ipv4-network';

export interface OwnNetwork {
  ifname: string;
  address: string;
  /** Without host bits, such as `192.168.1.0/24`. */
  network: string;
  macaddr: string;
}

/** Networks of the machine's interfaces, without loopback. */
export function ownNetworks(): OwnNetwork[] {
  return Object.entries(networkInterfaces()).flatMap(([ifname, addresses = []]) =>
    addresses.flatMap(({ address, cidr, family, internal, mac }) => {
      const network = family === 'IPv4' && !internal && cidr ? ipv4Network(cidr) : undefined;
      return network ? [{ ifname, address, network: network.text, macaddr: mac }] : [];
    }),
  );
}

/** The same, but read once a second at most: a scan asks for them with each address. */
export function createOwnNetworks(now: () => number): () => readonly OwnNetwork[] {
  let last: { networks: readonly OwnNetwork[]; at: number } | undefined;
  return () => {
    if (!last || now() - last.at >= 1000) last = { networks: ownNetworks(), at: now() };
    return last.networks;
  };
}
