// Variables of a switch: interfaces, bridge, LLDP and CDP tables, as switches lay them out.
import type { DeviceValue, Variables } from './snmp-device.ts';

export interface SwitchOptions {
  name: string;
  /** Of the switch itself; its ports count on from it. */
  mac: string;
  ports: readonly string[];
  /** Learned addresses: port (from 1), address, VLAN. */
  learned?: readonly (readonly [port: number, mac: string, vlan?: number])[];
  lldp?: readonly { port: number; mac?: string; remotePort: string; name: string; address?: string }[];
  cdp?: readonly { port: number; remotePort: string; name: string; address: string }[];
  extra?: Variables;
}

const octets = (mac: string) => Buffer.from(mac.replaceAll(':', ''), 'hex');
const arcs = (mac: string) => [...octets(mac)].join('.');

export function switchVariables(options: SwitchOptions): Record<string, DeviceValue> {
  const { name, mac, ports, learned = [], lldp = [], cdp = [], extra = {} } = options;
  const found: Record<string, DeviceValue> = {
    '1.3.6.1.2.1.1.1.0':
      'Cisco IOS Software, C2960 Software (C2960-LANBASEK9-M), Version 15.0(2)SE, RELEASE SOFTWARE',
    '1.3.6.1.2.1.1.5.0': name,
    '1.3.6.1.2.1.1.7.0': 6,
    '1.3.6.1.2.1.17.1.1.0': octets(mac),
    '1.3.6.1.2.1.17.1.2.0': ports.length,
    '1.3.6.1.2.1.47.1.1.1.1.5.1001': 3,
    '1.3.6.1.2.1.47.1.1.1.1.11.1001': `SER-${name}`,
    '1.3.6.1.2.1.47.1.1.1.1.12.1001': 'Cisco',
    '1.3.6.1.2.1.47.1.1.1.1.13.1001': 'WS-C2960-24TT-L',
    '1.0.8802.1.1.2.1.3.2.0': octets(mac),
  };
  for (const [at, port] of ports.entries()) {
    const [ifIndex, number] = [10_101 + at, at + 1];
    const portMac = octets(mac);
    portMac[5] = (portMac[5]! + number) & 255;
    Object.assign(found, {
      [`1.3.6.1.2.1.2.2.1.2.${ifIndex}`]: port.replace(/^Gi/, 'GigabitEthernet'),
      [`1.3.6.1.2.1.2.2.1.6.${ifIndex}`]: portMac,
      [`1.3.6.1.2.1.2.2.1.8.${ifIndex}`]: 1,
      [`1.3.6.1.2.1.31.1.1.1.1.${ifIndex}`]: port,
      [`1.3.6.1.2.1.17.1.4.1.2.${number}`]: ifIndex,
      [`1.0.8802.1.1.2.1.3.7.1.2.${number}`]: 5,
      [`1.0.8802.1.1.2.1.3.7.1.3.${number}`]: port,
    });
  }
  for (const [port, address, vlan] of learned) {
    const entry = vlan === undefined ? '1.3.6.1.2.1.17.4.3.1' : '1.3.6.1.2.1.17.7.1.2.2.1';
    const index = vlan === undefined ? arcs(address) : `${vlan}.${arcs(address)}`;
    Object.assign(found, { [`${entry}.2.${index}`]: port, [`${entry}.3.${index}`]: 3 });
  }
  for (const [at, one] of lldp.entries()) {
    const [entry, index] = ['1.0.8802.1.1.2.1.4.1.1', `0.${one.port}.${at + 1}`];
    Object.assign(found, {
      [`${entry}.4.${index}`]: one.mac === undefined ? 7 : 4,
      [`${entry}.5.${index}`]: one.mac === undefined ? one.name : octets(one.mac),
      [`${entry}.6.${index}`]: 5,
      [`${entry}.7.${index}`]: one.remotePort,
      [`${entry}.9.${index}`]: one.name,
    });
    if (one.address !== undefined) found[`1.0.8802.1.1.2.1.4.2.1.3.${index}.1.4.${one.address}`] = 2;
  }
  for (const [at, one] of cdp.entries()) {
    const [entry, index] = ['1.3.6.1.4.1.9.9.23.1.2.1.1', `${10_100 + one.port}.${at + 1}`];
    Object.assign(found, {
      [`${entry}.3.${index}`]: 1,
      [`${entry}.4.${index}`]: Buffer.from(one.address.split('.').map(Number)),
      [`${entry}.6.${index}`]: one.name,
      [`${entry}.7.${index}`]: one.remotePort,
    });
  }
  return { ...found, ...extra };
}
