// Reads IPv4 routes from IP-FORWARD-MIB and the older RFC1213-MIB.
import { inventoryLimits } from '@yagura/core/inventory/host-inventory';
import { ipv4Network } from '@yagura/core/sonar/ipv4-network';
import { isIpv4 } from '@yagura/core/validation/ipv4';
import { prefixOf } from '../interfaces.ts';
import type { Route } from '../routes.ts';
import type { Port } from './interfaces.ts';
import { countOf, IndexReader, ipv4Of, type SnmpTable, type SnmpValue } from './values.ts';

/** Values of IANAipRouteProtocol. */
const protocols: readonly (string | undefined)[] = [
  ...[undefined, 'other', 'kernel', 'static', 'icmp', 'egp', 'ggp', 'hello', 'rip', 'isis', 'esis'],
  ...['igrp', 'bbnSpfIgp', 'ospf', 'bgp', 'idpr', 'eigrp', 'dvmrp', 'rpl', 'dhcp'],
];
/** Routes whose type is `reject`, `blackhole` or `invalid` lead nowhere; by table. */
const unusableTypes = { inetCidr: [2, 5], cidr: [2], old: [2] };

interface RouteColumns {
  interface: number;
  type: number;
  protocol: number;
  metric: number;
}

/** Columns: 7 interface, 8 type, 9 protocol, 12 metric; the index has destination, prefix length, policy, next hop. */
export function readInetCidrRoutes(table: SnmpTable, ports: ReadonlyMap<number, Port>): Route[] {
  return routesOf(
    table,
    ports,
    unusableTypes.inetCidr,
    { interface: 7, type: 8, protocol: 9, metric: 12 },
    (index) => {
      const reader = new IndexReader(index);
      const destination = reader.takeInetAddress();
      const bits = reader.next();
      reader.takeCounted();
      return { destination, bits, gateway: reader.takeInetAddress() };
    },
  );
}

/** Columns: 5 interface, 6 type, 7 protocol, 11 metric; the index has destination, mask, service, next hop. */
export function readCidrRoutes(table: SnmpTable, ports: ReadonlyMap<number, Port>): Route[] {
  return routesOf(
    table,
    ports,
    unusableTypes.cidr,
    { interface: 5, type: 6, protocol: 7, metric: 11 },
    (index) => {
      const reader = new IndexReader(index);
      const destination = ipv4Of(reader.take(4));
      const bits = prefixOf(ipv4Of(reader.take(4)));
      reader.next();
      return { destination, bits, gateway: ipv4Of(reader.take(4)) };
    },
  );
}

/** Columns: 2 interface, 3 metric, 7 next hop, 8 type, 9 protocol, 11 mask; the index is the destination. */
export function readOldRoutes(table: SnmpTable, ports: ReadonlyMap<number, Port>): Route[] {
  return routesOf(
    table,
    ports,
    unusableTypes.old,
    { interface: 2, type: 8, protocol: 9, metric: 3 },
    (index, row) => ({
      destination: ipv4Of(index),
      bits: prefixOf(ipv4Of(row[11])),
      gateway: ipv4Of(row[7]),
    }),
  );
}

function routesOf(
  table: SnmpTable,
  ports: ReadonlyMap<number, Port>,
  unusable: readonly number[],
  columns: RouteColumns,
  read: (
    index: string,
    row: Readonly<Record<number, SnmpValue | undefined>>,
  ) => { destination: string | undefined; bits: number | undefined; gateway: string | undefined },
): Route[] {
  const routes: Route[] = [];
  for (const [index, row] of table) {
    if (routes.length >= inventoryLimits.routes) break;
    const { destination, bits, gateway } = read(index, row);
    if (unusable.includes(countOf(row[columns.type]) ?? -1)) continue;
    if (destination === undefined || !isIpv4(destination) || bits === undefined) continue;
    const network = ipv4Network(`${destination}/${bits}`)?.text;
    if (network === undefined) continue;
    const ifname = ports.get(countOf(row[columns.interface]) ?? -1)?.ifname;
    const metric = countOf(row[columns.metric]);
    const protocol = protocols[countOf(row[columns.protocol]) ?? 0];
    routes.push({
      destination: network,
      ...(gateway !== undefined && isIpv4(gateway) && gateway !== '0.0.0.0' ? { gateway } : {}),
      ...(ifname === undefined ? {} : { ifname }),
      ...(metric === undefined ? {} : { metric }),
      ...(protocol === undefined ? {} : { protocol }),
    });
  }
  return routes;
}
