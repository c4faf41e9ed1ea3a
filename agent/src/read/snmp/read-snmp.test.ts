// Tables as devices of several vendors and ages lay them out.
import { describe, expect, test } from 'vitest';
import { identifyingEntries, parseIpNeighbor } from '../arp.ts';
import { readArp } from './arp.ts';
import { limitForwarding, readForwarding } from './bridge.ts';
import { readCdp } from './cdp.ts';
import { type Port, readInterfaces, readPortAddresses, readPorts } from './interfaces.ts';
import { openPorts, readListening } from './listening.ts';
import { readLldp } from './lldp.ts';
import { readCidrRoutes, readInetCidrRoutes, readOldRoutes } from './routes.ts';
import { readDeviceTypes, readFamily, readHardware, readInstalled, readProduct } from './system.ts';
import { emptyTable, type SnmpRow, type SnmpTable } from './values.ts';

const text = (value: string) => Buffer.from(value);
const mac = (last: number) => Buffer.from([0x00, 0x1a, 0, 0, 0, last]);
const macText = (last: number) => `00:1a:00:00:00:${last.toString(16).padStart(2, '0')}`;
const table = (rows: Record<string, SnmpRow>): SnmpTable => new Map(Object.entries(rows));
const port = (ifIndex: number, ifname: string, more: Partial<Port> = {}): [number, Port] => [
  ifIndex,
  { ifIndex, ifname, aliases: [], ...more },
];
const ports = new Map([port(1, 'Gi0/1', { aliases: ['GigabitEthernet0/1', 'uplink'] }), port(2, 'Gi0/2')]);

describe('interfaces', () => {
  test('have their addresses from both tables, of both versions', () => {
    const found = readPorts(
      table({ 1: { 2: text('eth0'), 6: mac(1), 8: 1 }, 2: { 2: text('eth1'), 6: Buffer.alloc(0), 8: 7 } }),
    );
    const addresses = readPortAddresses(
      table({ '10.0.0.1': { 2: 1, 3: '255.255.240.0' } }),
      table({
        '1.4.10.0.0.1': { 3: 1, 4: 1, 5: '0.0' },
        '1.4.10.0.1.1': { 3: 1, 4: 1, 5: '1.3.6.1.2.1.4.32.1.5.1.1.4.10.0.1.0.24', 6: 2 },
        '1.4.10.0.1.255': { 3: 1, 4: 3, 5: '0.0' },
        '2.16.254.128.0.0.0.0.0.0.0.0.0.0.0.0.0.1': { 3: 2, 4: 1, 5: '1.3.6.64' },
        '2.16.253.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1': { 3: 2, 4: 1, 5: '1.3.6.64', 6: 6 },
        '9.3.1.2.3': { 3: 1, 4: 1 },
      }),
    );
    expect(readInterfaces(found, addresses)).toEqual([
      { ifname: 'eth0', macaddr: macText(1), linkState: 'up', addr: '10.0.0.1', netmask: '255.255.240.0' },
      { ifname: 'eth0', macaddr: macText(1), linkState: 'up', addr: '10.0.1.1', netmask: '255.255.255.0' },
      { ifname: 'eth1', linkState: 'lowerlayerdown', addr: 'fe80::1', netmask: '64' },
    ]);
  });
});

describe('routes', () => {
  const expected = [
    { destination: '0.0.0.0/0', gateway: '10.0.0.254', ifname: 'Gi0/1', metric: 1, protocol: 'static' },
    { destination: '10.0.0.0/24', ifname: 'Gi0/1', metric: 0, protocol: 'kernel' },
  ];
  test.each([
    [
      'inetCidrRouteTable',
      readInetCidrRoutes(
        table({
          '1.4.0.0.0.0.0.2.0.0.1.4.10.0.0.254': { 7: 1, 8: 4, 9: 3, 12: 1 },
          '1.4.10.0.0.0.24.3.0.0.4.1.4.0.0.0.0': { 7: 1, 8: 3, 9: 2, 12: 0 },
          // Rejecting, of IPv6, and cut.
          '1.4.10.9.0.0.24.2.0.0.1.4.0.0.0.0': { 7: 1, 8: 2, 9: 2, 12: 0 },
          '2.16.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.2.0.0.1.4.0.0.0.0': { 7: 1, 8: 3, 9: 2, 12: 0 },
          '1.4.10.0': { 7: 1, 8: 3 },
        }),
        ports,
      ),
    ],
    [
      'ipCidrRouteTable',
      readCidrRoutes(
        table({
          '0.0.0.0.0.0.0.0.0.10.0.0.254': { 5: 1, 6: 4, 7: 3, 11: 1 },
          '10.0.0.0.255.255.255.0.0.0.0.0.0': { 5: 1, 6: 3, 7: 2, 11: 0 },
          '10.0.0.0.255.0.255.0.0.0.0.0.0': { 5: 1, 6: 3, 7: 2, 11: 0 },
        }),
        ports,
      ),
    ],
    [
      'ipRouteTable',
      readOldRoutes(
        table({
          '0.0.0.0': { 2: 1, 3: 1, 7: '10.0.0.254', 8: 4, 9: 3, 11: '0.0.0.0' },
          '10.0.0.0': { 2: 1, 3: 0, 7: '0.0.0.0', 8: 3, 9: 2, 11: '255.255.255.0' },
          '10.5.0.0': { 2: 1, 3: 0, 7: '0.0.0.0', 8: 2, 9: 2, 11: '255.255.255.0' },
        }),
        ports,
      ),
    ],
  ])('of %s', (_, routes) => expect(routes).toEqual(expected));
});

describe('ARP tables', () => {
  const interfaces = [{ ifname: 'v10', addr: '10.0.0.1', netmask: '255.255.255.0', macaddr: macText(9) }];

  test('of both versions have the entries that are in use', () => {
    const netToMedia = table({
      '1.10.0.0.5': { 2: mac(5), 4: 3 },
      '1.10.0.0.6': { 2: mac(6), 4: 2 },
      '1.10.0.0.7': { 2: Buffer.alloc(6), 4: 3 },
    });
    const netToPhysical = table({
      '1.1.4.10.0.0.8': { 4: mac(8), 6: 3 },
      '1.1.4.10.0.0.1': { 4: mac(9), 6: 5 },
      '1.2.16.254.128.0.0.0.0.0.0.0.0.0.0.0.0.0.1': { 4: mac(10), 6: 3 },
    });
    expect(readArp(netToMedia, netToPhysical)).toEqual([
      { addr: '10.0.0.5', macaddr: macText(5) },
      { addr: '10.0.0.8', macaddr: macText(8) },
    ]);
  });

  test('identify only machines of the own networks, each with an address of its own', () => {
    const entry = (addr: string, last: number) => ({ addr, macaddr: macText(last) });
    const found = identifyingEntries(
      [
        entry('10.0.0.5', 5),
        // Elsewhere, the router itself, proxy ARP, and one address with two answers.
        ...[entry('10.0.9.5', 4), entry('10.0.0.1', 3), entry('10.0.0.20', 9)],
        ...[entry('10.0.0.30', 7), entry('10.0.0.31', 7)],
        ...[entry('10.0.0.40', 1), entry('10.0.0.40', 2)],
      ],
      interfaces,
    );
    expect(found).toEqual([entry('10.0.0.5', 5)]);
    expect(
      identifyingEntries(
        [entry('10.0.0.5', 5)],
        [{ ifname: 'lo', addr: '10.0.0.5', netmask: '255.255.255.255' }],
      ),
    ).toEqual([]);
  });

  test('of ip neighbor', () => {
    const rows = [
      { dst: '10.0.0.5', lladdr: '00:1A:00:00:00:05', state: ['STALE'] },
      { dst: '10.0.0.6', state: ['FAILED'] },
      { dst: '10.0.0.7', lladdr: '01:00:5e:00:00:01' },
      { dst: 'fe80::1', lladdr: macText(1) },
      { dst: '10.0.0.8', lladdr: '00:00:00:00:00:00' },
    ];
    expect(parseIpNeighbor(JSON.stringify(rows))).toEqual([{ addr: '10.0.0.5', macaddr: macText(5) }]);
  });
});

describe('LLDP', () => {
  const remote = (row: SnmpRow) =>
    readLldp({ localPorts: emptyTable, remotes: table({ '0.1.1': row }) }, ports)[0];

  test.each<[string, SnmpRow, object]>([
    ['a MAC', { 4: 4, 5: mac(5) }, { macaddr: macText(5) }],
    ['an IPv4 address', { 4: 5, 5: Buffer.from([1, 10, 0, 0, 5]) }, { remoteAddr: '10.0.0.5' }],
    ['a local name', { 4: 7, 5: text('sw5') }, { remoteName: 'sw5' }],
    ['a name and another id', { 4: 7, 5: text('chassis 1'), 9: text('sw5') }, { remoteName: 'sw5' }],
    [
      'a MAC and a port with a name',
      { 4: 4, 5: mac(5), 6: 5, 7: text('eth0') },
      { macaddr: macText(5), remoteIfname: 'eth0' },
    ],
    [
      'a port with a MAC and a description',
      { 4: 4, 5: mac(5), 6: 3, 7: mac(6), 8: text('eth0') },
      { macaddr: macText(5), remoteIfname: 'eth0' },
    ],
    [
      'a port with a MAC only',
      { 4: 4, 5: mac(5), 6: 3, 7: mac(6) },
      { macaddr: macText(5), remoteIfname: macText(6) },
    ],
    [
      'a port with an address',
      { 4: 4, 5: mac(5), 6: 4, 7: Buffer.from([1, 10, 0, 0, 6]) },
      { macaddr: macText(5), remoteIfname: '10.0.0.6' },
    ],
    [
      'a port with a local number and a description',
      { 4: 4, 5: mac(5), 6: 7, 7: text('513'), 8: text('ge-0/0/0') },
      { macaddr: macText(5), remoteIfname: 'ge-0/0/0' },
    ],
    [
      'a port with a local number only',
      { 4: 4, 5: mac(5), 6: 7, 7: text('513') },
      { macaddr: macText(5), remoteIfname: '513' },
    ],
    [
      'a port with a local name',
      { 4: 4, 5: mac(5), 6: 7, 7: text('1/5'), 8: text('Port 5 on Unit 1') },
      { macaddr: macText(5), remoteIfname: '1/5' },
    ],
    [
      'a port with the name of an interface that is a number',
      { 4: 4, 5: mac(5), 6: 5, 7: text('17'), 8: text('to the roof') },
      { macaddr: macText(5), remoteIfname: '17' },
    ],
    [
      "a port with an administrator's text and a description",
      { 4: 4, 5: mac(5), 6: 1, 7: text('to the roof'), 8: text('ge-0/0/0') },
      { macaddr: macText(5), remoteIfname: 'ge-0/0/0' },
    ],
  ])('a neighbor is known by %s', (_, row, expected) =>
    expect(remote(row)).toEqual({ ifname: 'Gi0/1', protocol: 'lldp', ...expected }),
  );

  test('a neighbor that tells nothing of itself is none', () => {
    expect(remote({ 4: 4, 5: Buffer.alloc(3), 7: text('eth0') })).toBeUndefined();
  });

  test.each<[string, SnmpRow, string]>([
    ['the name of the interface', { 2: 5, 3: text('Gi0/2') }, 'Gi0/2'],
    ['its description', { 2: 7, 3: text('17'), 4: text('GigabitEthernet0/1') }, 'Gi0/1'],
    ['its MAC', { 2: 3, 3: mac(3) }, 'Gi0/3'],
    ['nothing of IF-MIB', { 2: 7, 3: text('slot 9') }, 'slot 9'],
  ])('a local port is found by %s', (_, row, ifname) => {
    const own = new Map([...ports, port(3, 'Gi0/3', { macaddr: macText(3) })]);
    const remotes = table({ '0.40.1': { 4: 4, 5: mac(5) } });
    expect(readLldp({ localPorts: table({ 40: row }), remotes }, own)[0]?.ifname).toBe(ifname);
  });

  test('management addresses and VLANs belong to their neighbor', () => {
    const remotes = table({ '7.1.1': { 4: 4, 5: mac(5) }, '7.2.2': { 4: 4, 5: mac(6) } });
    const managementAddresses = table({
      '7.1.1.2.16.254.128.0.0.0.0.0.0.0.0.0.0.0.0.0.1': { 3: 2 },
      '7.1.1.1.4.10.0.0.5': { 3: 2 },
    });
    const vlans = table({ '7.2.2': { 1: 20 }, '7.1.1': { 1: 0 } });
    expect(readLldp({ localPorts: emptyTable, remotes, managementAddresses, vlans }, ports)).toEqual([
      { ifname: 'Gi0/1', protocol: 'lldp', macaddr: macText(5), remoteAddr: '10.0.0.5' },
      { ifname: 'Gi0/2', protocol: 'lldp', macaddr: macText(6), vlan: 20 },
    ]);
  });
});

test('CDP tells names, addresses and hardware addresses of neighbors', () => {
  const cache = table({
    '1.1': {
      3: 1,
      4: Buffer.from([10, 0, 0, 2]),
      6: text('core1.example(FOX1234ABCD)'),
      7: text('Eth1/1'),
      11: 10,
    },
    '2.1': { 3: 1, 4: Buffer.from([0, 0, 0, 0]), 6: text('SEP001A00000005'), 7: text('Port 1') },
    '9.1': { 6: text('on no interface') },
    '2.2': { 7: text('of nobody') },
  });
  expect(readCdp(cache, ports)).toEqual([
    {
      ...{ ifname: 'Gi0/1', protocol: 'cdp', remoteIfname: 'Eth1/1', remoteName: 'core1.example' },
      ...{ remoteAddr: '10.0.0.2', vlan: 10 },
    },
    {
      ...{ ifname: 'Gi0/2', protocol: 'cdp', remoteIfname: 'Port 1', remoteName: 'SEP001A00000005' },
      macaddr: macText(5),
    },
  ]);
});

describe('forwarding tables', () => {
  const basePorts = table({ 1: { 2: 1 }, 2: { 2: 2 } });

  test('tell the VLAN of their database, unless several share it', () => {
    const entries = table({
      '100.0.26.0.0.0.5': { 2: 1, 3: 3 },
      '200.0.26.0.0.0.6': { 2: 2, 3: 3 },
      // Of the switch itself, invalid, and behind no known port.
      '100.0.26.0.0.0.7': { 2: 1, 3: 4 },
      '100.0.26.0.0.0.8': { 2: 1, 3: 2 },
      '100.0.26.0.0.0.9': { 2: 0, 3: 3 },
    });
    const vlans = table({ '0.10': { 3: 100 }, '0.20': { 3: 200 }, '0.21': { 3: 200 } });
    const whole = table({ '0.26.0.0.0.5': { 2: 1, 3: 3 }, '0.26.0.0.0.11': { 2: 2, 3: 5 } });
    expect(readForwarding([{ basePorts, entries: whole }], { basePorts, entries, vlans }, ports)).toEqual([
      { ifname: 'Gi0/1', macaddr: macText(5), protocol: 'fdb', vlan: 10 },
      { ifname: 'Gi0/2', macaddr: macText(6), protocol: 'fdb' },
      { ifname: 'Gi0/2', macaddr: macText(11), protocol: 'fdb' },
    ]);
  });

  test('are limited by whole ports, uplinks first', () => {
    const at = (ifname: string, count: number) =>
      Array.from({ length: count }, (_, last) => ({
        ifname,
        macaddr: macText(last),
        protocol: 'fdb' as const,
      }));
    const entries = [...at('uplink', 50), ...at('p1', 1), ...at('p2', 3)];
    expect(limitForwarding(entries, 40).map(({ ifname }) => ifname)).toEqual(['p1', 'p2', 'p2', 'p2']);
    expect(limitForwarding(entries, 54)).toHaveLength(54);
    expect(limitForwarding(entries, 0)).toEqual([]);
  });
});

test('listening ports of both generations of tables', () => {
  const tables = {
    tcpListeners: table({ '1.4.0.0.0.0.22': { 4: 7 }, '0.0.80': { 4: 0 } }),
    udpEndpoints: table({
      '1.4.127.0.0.1.53.1.4.0.0.0.0.0.4711': { 8: 8 },
      // A conversation.
      '1.4.10.0.0.1.123.1.4.10.0.0.2.123.4712': { 8: 8 },
    }),
    tcpConnections: table({ '10.0.0.1.443.0.0.0.0.0': { 1: 2 }, '10.0.0.1.443.10.0.0.9.5000': { 1: 5 } }),
    udpListeners: table({ '0.0.0.0.161': { 2: 161 }, '0.0.0.0.99999': { 2: 1 } }),
  };
  expect(readListening(openPorts(tables), (id) => ({ 7: 'sshd', 8: 'named' })[id])).toEqual([
    { protocol: 'tcp', address: '0.0.0.0', port: 22, process: 'sshd' },
    { protocol: 'tcp', address: '*', port: 80 },
    { protocol: 'udp', address: '127.0.0.1', port: 53, process: 'named' },
    { protocol: 'tcp', address: '10.0.0.1', port: 443 },
    { protocol: 'udp', address: '0.0.0.0', port: 161 },
  ]);
});

describe('the system', () => {
  test.each([
    [
      'Linux web 5.10.0-28-amd64 #1 SMP Debian 5.10.209-2 x86_64',
      { family: 'Linux', version: '5.10.0-28-amd64' },
    ],
    ['FreeBSD fw 14.0-RELEASE FreeBSD 14.0-RELEASE amd64', { family: 'FreeBSD', version: '14.0-RELEASE' }],
    [
      'Cisco IOS Software [Bengaluru], Catalyst L3 Switch Software (CAT9K_IOSXE), Version 17.6.4, RELEASE',
      { family: 'Cisco IOS XE', version: '17.6.4' },
    ],
    [
      'Cisco NX-OS(tm) n9000, Software (n9000-dk9), Version 9.3(8), RELEASE',
      { family: 'Cisco NX-OS', version: '9.3(8)' },
    ],
    [
      'Juniper Networks, Inc. ex2300 Ethernet Switch, kernel JUNOS 20.2R3.9, Build',
      { family: 'Junos', version: '20.2R3.9' },
    ],
    [
      'Hardware: Intel64 Family 6 - Software: Windows Version 6.3 (Build 20348 Multiprocessor Free)',
      { family: 'Windows', version: '6.3 (Build 20348 Multiprocessor Free)' },
    ],
    [
      'ProCurve J9019B Switch 2510B-24, revision Q.11.17',
      { family: 'ProCurve J9019B Switch 2510B-24, revision Q.11.17' },
    ],
    [undefined, {}],
  ])('of %j', (description, expected) => expect(readFamily(description)).toEqual(expected));

  test('is the first chassis of a stack, without texts that stand for nothing', () => {
    const entities = table({
      '2001': { 5: 3, 11: text('SECOND') },
      '1001': {
        5: 3,
        8: text('V02'),
        10: text('15.0'),
        11: text('FIRST'),
        12: text('Cisco'),
        13: text('WS-C'),
      },
      '9': { 5: 9, 11: text('MODULE') },
    });
    expect(readProduct(entities)).toEqual({
      product: { vendorName: 'Cisco', modelName: 'WS-C', versionNumber: 'V02', serialNumber: 'FIRST' },
      serial: 'FIRST',
      softwareVersion: '15.0',
    });
    expect(readProduct(table({ '1': { 5: 3, 11: text('N/A') } }))).toEqual({});
  });

  test('has processors, memory and fixed drives', () => {
    const type = '1.3.6.1.2.1.25.3.1.3';
    const devices = table({
      1: { 2: type, 3: text('CPU X') },
      2: { 2: type, 3: text('CPU X') },
      3: { 2: '1.3' },
    });
    const disks = table({ 4: { 3: 2, 4: 1000 }, 5: { 3: 1, 4: 50 }, 6: { 3: 2, 4: 0 } });
    expect(readHardware(devices, disks, 2048)).toEqual({
      cpu: { numberOfProcessors: 2, cpu0: { modelName: 'CPU X' } },
      memory: { totalSize: 2048 },
      storage: { numberOfDrives: 1, totalSize: 1000 },
    });
    expect(readHardware(emptyTable, emptyTable, undefined)).toEqual({});
  });

  test.each([
    ['adduser_3.134_all', { name: 'adduser', version: '3.134', arch: 'all' }],
    ['libc6_2.36-9+deb12u8_amd64', { name: 'libc6', version: '2.36-9+deb12u8', arch: 'amd64' }],
    ['bash-5.1.8-6.el9.x86_64', { name: 'bash', version: '5.1.8-6.el9', arch: 'x86_64' }],
    ['python3-libs-3.9.16-1.el9', { name: 'python3-libs', version: '3.9.16-1.el9', arch: '' }],
    ['Microsoft Edge', { name: 'Microsoft Edge', version: '', arch: '' }],
  ])('lists %s', (name, expected) =>
    expect(readInstalled(table({ 1: { 2: text(name) }, 2: { 2: 7 } }))).toEqual([expected]),
  );

  test.each([
    [{ isForwarding: true, services: 6, bridgePorts: 24 }, ['switch']],
    [{ isForwarding: true, services: 78, bridgePorts: 0 }, ['router']],
    [{ isForwarding: true, services: 72, bridgePorts: 0 }, []],
    [{ isForwarding: false, services: 78, bridgePorts: 1 }, []],
  ])('%j is %j', (device, types) => expect(readDeviceTypes(device).map(({ type }) => type)).toEqual(types));
});
