// Reads IPv4 routes from `ip -j route`, /proc/net/route and `netstat -rn`.
import { inventoryLimits, type KnownExtraFields } from '@yagura/core/inventory/host-inventory';
import type { ScannedHostInput } from '@yagura/core/ksocket/agent-protocol';
import { ipv4Network, ipv4Text } from '@yagura/core/sonar/ipv4-network';
import { isIpv4 } from '@yagura/core/validation/ipv4';
import { cleanValue, objectsOf, readJsonRows } from './text.ts';

export type Route = NonNullable<ScannedHostInput['routes']>[number];

/** Flag of a route through a gateway. */
const gatewayFlag = 0x2;
const upFlag = 0x1;
/** In /proc/net/route, the interface of routes that drop packets. */
const noInterface = '*';

/** Types of routes that drop packets (ip-route(8)); they lead nowhere. */
const droppingTypes: readonly unknown[] = ['blackhole', 'unreachable', 'prohibit', 'throw'];

/** One row per next hop: a route with several has them in `nexthops`. */
export function parseIpRoute(text: string | undefined): Route[] {
  return readJsonRows(text)
    .flatMap(({ type, dst, nexthops, metric, protocol, ...only }): Route[] => {
      const network = dst === 'default' ? '0.0.0.0/0' : ipv4Network(String(dst))?.text;
      if (network === undefined || droppingTypes.includes(type)) return [];
      return (Array.isArray(nexthops) ? objectsOf(nexthops) : [only]).map(({ gateway, dev }) => ({
        destination: network,
        ...(typeof gateway === 'string' && isIpv4(gateway) ? { gateway } : {}),
        ...(typeof dev === 'string' ? { ifname: cleanValue(dev) } : {}),
        ...(typeof metric === 'number' && metric >= 0 && metric < 2 ** 32 ? { metric } : {}),
        ...(typeof protocol === 'string' ? { protocol: cleanValue(protocol, 32) } : {}),
      }));
    })
    .slice(0, inventoryLimits.routes);
}

/** Columns: interface, destination, gateway, flags, ..., metric, mask; numbers are little-endian hexadecimal. */
export function parseProcRoute(text: string | undefined): Route[] {
  return (text ?? '')
    .split('\n')
    .flatMap((line): Route[] => {
      const [ifname, to, gateway, flags, , , metric, mask] = line.trim().split(/\s+/);
      if (!ifname || !/^[\dA-F]{8}$/.test(to ?? '') || !/^[\dA-F]{8}$/.test(mask ?? '')) return [];
      const flag = Number.parseInt(flags ?? '0', 16);
      if ((flag & upFlag) === 0 || ifname === noInterface) return [];
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
    .slice(0, inventoryLimits.routes);
}

export function defaultGateways(routes: readonly Route[] | undefined): KnownExtraFields['networking'] {
  const found = (routes ?? []).flatMap(({ destination, gateway, ifname }) =>
    destination === '0.0.0.0/0' && gateway
      ? [{ addr: gateway, ...(ifname ? { interface: ifname } : {}) }]
      : [],
  );
  return found.length > 0 ? { defaultGateways: found } : undefined;
}

/** Flags of entries that are neighbors, own addresses or broadcasts rather than routes. */
const neighborFlags = /[LlWbc]/;
/** Flags of routes that drop packets: reject and blackhole. */
const droppingFlags = /[RB]/;

/** `netstat -rn -f inet` of the BSDs and macOS; the columns between flags and interface differ. */
export function parseNetstatRoutes(text: string | undefined): Route[] {
  let column = -1;
  return (text ?? '')
    .split('\n')
    .flatMap((line): Route[] => {
      const words = line.trim().split(/\s+/);
      const [to = '', gateway = '', flags = ''] = words;
      if (to === 'Destination') {
        column = words.findIndex((word) => /^(Netif|Iface|Interface)$/.test(word));
        return [];
      }
      const ifname = cleanValue(words[column]);
      const destination = bsdNetwork(to, flags);
      if (column < 3 || destination === undefined || ifname === undefined) return [];
      if (!/^[A-Za-z0-9]*U/.test(flags) || droppingFlags.test(flags)) return [];
      if (flags.includes('H') && neighborFlags.test(flags)) return [];
      const hasGateway = flags.includes('G') && isIpv4(gateway);
      return [{ destination, ...(hasGateway ? { gateway } : {}), ifname }];
    })
    .slice(0, inventoryLimits.routes);
}

/** Trailing zero octets may be missing; without a length, an incomplete address has that of its octets. */
function bsdNetwork(text: string, flags: string): string | undefined {
  if (text === 'default') return '0.0.0.0/0';
  const [, address = '', bits] = /^([\d.]+)(?:\/(\d+))?$/.exec(text) ?? [];
  const octets = address === '' ? [] : address.split('.');
  if (octets.length === 0 || octets.length > 4) return undefined;
  const length = bits ?? (flags.includes('H') ? 32 : octets.length * 8);
  return ipv4Network(`${[...octets, '0', '0', '0'].slice(0, 4).join('.')}/${length}`)?.text;
}

function littleEndian(hex: string): number {
  return Number.parseInt(hex.match(/../g)!.reverse().join(''), 16);
}
