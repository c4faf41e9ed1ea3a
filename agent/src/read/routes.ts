// Reads IPv4 routes from `ip -j route` and /proc/net/route.
import type { ScannedHostInput } from '@yagura/core/ksocket/agent-protocol';
import { ipv4Network, ipv4Text } from '@yagura/core/sonar/ipv4-network';
import { isIpv4 } from '@yagura/core/validation/ipv4';
import { cleanValue, readJsonRows } from './text.ts';

export type Route = NonNullable<ScannedHostInput['routes']>[number];

/** The protocol's limit on rows. */
const maxRoutes = 4096;
/** Flag of a route through a gateway. */
const gatewayFlag = 0x2;
const upFlag = 0x1;

export function parseIpRoute(text: string | undefined): Route[] {
  return readJsonRows(text)
    .flatMap((row): Route[] => {
      const network = row.dst === 'default' ? '0.0.0.0/0' : ipv4Network(String(row.dst))?.text;
      if (network === undefined) return [];
      const { gateway, dev, metric, protocol } = row;
      return [
        {
          destination: network,
          ...(typeof gateway === 'string' && isIpv4(gateway) ? { gateway } : {}),
          ...(typeof dev === 'string' ? { ifname: cleanValue(dev) } : {}),
          ...(typeof metric === 'number' && metric >= 0 && metric < 2 ** 32 ? { metric } : {}),
          ...(typeof protocol === 'string' ? { protocol: cleanValue(protocol, 32) } : {}),
        },
      ];
    })
    .slice(0, maxRoutes);
}

/** Columns: interface, destination, gateway, flags, ..., metric, mask; numbers are little-endian hexadecimal. */
export function parseProcRoute(text: string | undefined): Route[] {
  return (text ?? '')
    .split('\n')
    .flatMap((line): Route[] => {
      const [ifname, to, gateway, flags, , , metric, mask] = line.trim().split(/\s+/);
      if (!ifname || !/^[\dA-F]{8}$/.test(to ?? '') || !/^[\dA-F]{8}$/.test(mask ?? '')) return [];
      const flag = Number.parseInt(flags ?? '0', 16);
      if ((flag & upFlag) === 0) return [];
      const bits = [...littleEndian(mask!).toString(2)].filter((bit) => bit === '1').length;
      return [
        {
          destination: `${ipv4Text(littleEndian(to!))}/${bits}`,
          ...((flag & gatewayFlag) !== 0 ? { gateway: ipv4Text(littleEndian(gateway!)) } : {}),
          ifname,
          metric: Number(metric),
        },
      ];
    })
    .slice(0, maxRoutes);
}

function littleEndian(hex: string): number {
  return Number.parseInt(hex.match(/../g)!.reverse().join(''), 16);
}
