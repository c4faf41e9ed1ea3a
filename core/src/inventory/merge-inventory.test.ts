import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { reportedInventoryShape } from './host-inventory.ts';
import { combineInventories, evidenceOf, mergeInventory } from './merge-inventory.ts';

const parse = (input: object) => z.object(reportedInventoryShape).parse(input);
const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const evidence = (day: number, ...reads: string[]) =>
  reads.map((read) => {
    const [group, source] = read.split(' ');
    return { group, source, at: at(day) };
  });

const known = parse({
  addresses: [
    {
      addr: '192.0.2.1',
      macaddr: '02:00:00:00:00:01',
      hostnames: [{ hostname: 'web.example' }],
      services: [{ name: 'ssh', port: 22 }],
    },
    { addr: '198.51.100.1' },
    { addr: '203.0.113.9' },
  ],
  interfaces: [
    { ifname: 'eth0', addr: '192.0.2.1' },
    { ifname: 'eth1', addr: '198.51.100.1' },
  ],
  neighbors: [{ ifname: 'eth0', remoteName: 'sw1', protocol: 'lldp' }],
  routes: [{ destination: '0.0.0.0/0', gateway: '192.0.2.254' }],
  listening: [{ protocol: 'tcp', address: '0.0.0.0', port: 22 }],
  system: { family: 'Linux', version: '12', serial: 'S1' },
  deviceTypes: [{ type: 'server' }],
  extraFields: { kernel: { name: 'Linux' } },
  evidence: evidence(
    1,
    'addresses ssh',
    'interfaces ssh',
    'neighbors ssh',
    'system ssh',
    'routes ssh',
    'listening ssh',
    'services tcp',
  ),
});

describe('a host that could not be signed in to', () => {
  const reported = parse({
    addresses: [{ addr: '192.0.2.1', services: [{ name: 'https', port: 443 }] }],
    deviceTypes: [{ type: 'computer' }],
    evidence: evidence(2, 'addresses tcp', 'services tcp'),
  });
  const merged = mergeInventory(known, reported);

  it('keeps every group that was not read', () => {
    const { interfaces, neighbors, routes, listening, system, deviceTypes, extraFields } = known;
    expect(merged).toMatchObject({
      interfaces,
      neighbors,
      routes,
      listening,
      system,
      deviceTypes,
      extraFields,
    });
  });

  it('keeps its own other addresses, and forgets one that nobody saw', () =>
    expect(merged.addresses.map((one) => one.addr)).toEqual(['192.0.2.1', '198.51.100.1']));

  it('keeps name and MAC of an address that was seen again, and has the services of this time', () =>
    expect(merged.addresses[0]).toMatchObject({
      macaddr: '02:00:00:00:00:01',
      hostnames: [{ hostname: 'web.example' }],
      services: [{ name: 'https', port: 443 }],
    }));

  it('tells when each group was read', () =>
    expect(merged.evidence).toEqual([
      ...evidence(2, 'addresses tcp', 'services tcp'),
      ...evidence(1, 'interfaces ssh', 'neighbors ssh', 'system ssh', 'routes ssh', 'listening ssh'),
    ]));
});

it('replaces a group that was read and is empty now', () => {
  const reported = parse({ evidence: evidence(2, 'routes ssh', 'listening ssh', 'neighbors snmp') });
  expect(mergeInventory(known, reported)).toMatchObject({ routes: [], listening: [], neighbors: [] });
});

it('replaces the addresses that were read on the host itself', () => {
  const reported = parse({ addresses: [{ addr: '192.0.2.7' }], evidence: evidence(2, 'addresses ssh') });
  expect(mergeInventory(known, reported).addresses.map((one) => one.addr)).toEqual(['192.0.2.7']);
});

it('takes the names of the name server, even if there are none any more', () => {
  const reported = parse({
    addresses: [{ addr: '192.0.2.1' }],
    evidence: evidence(2, 'addresses arp', 'addresses dns'),
  });
  expect(mergeInventory(known, reported).addresses[0]).toMatchObject({
    hostnames: [],
    services: [{ name: 'ssh', port: 22 }],
  });
});

it('changes only the services when the addresses were not read', () => {
  const reported = parse({
    addresses: [{ addr: '192.0.2.1', services: [{ name: 'ldap', port: 389 }] }],
    evidence: evidence(2, 'services tcp'),
  });
  const services = mergeInventory(known, reported).addresses.map((one) =>
    one.services.map(({ port }) => port),
  );
  expect(services).toEqual([[389], [], []]);
});

it('reads rows that were stored before the groups existed', () => {
  const { routes: _routes, listening: _listening, evidence: _evidence, ...old } = known;
  const reported = parse({ evidence: evidence(2, 'system ssh'), system: { family: 'BSD' } });
  expect(mergeInventory(old, reported)).toMatchObject({
    routes: [],
    listening: [],
    system: { family: 'BSD', serial: '' },
    interfaces: known.interfaces,
  });
});

describe('an agent that tells no evidence', () => {
  const host = (input: object) => ({ ...parse(input), packages: [], windowsUpdates: [] });

  it('has read the groups that are not empty', () => {
    const reported = host({
      addresses: [{ addr: '192.0.2.1', services: [{ name: 'ssh', port: 22 }] }],
      system: { family: 'Linux' },
    });
    expect(evidenceOf(reported, at(3))).toEqual(
      evidence(3, 'addresses agent', 'system agent', 'services agent'),
    );
    expect(evidenceOf({ ...reported, packages: [{}] }, at(3)).map(({ group }) => group)).toContain(
      'packages',
    );
  });

  it('replaces them as before, and wipes nothing else', () => {
    const reported = host({ addresses: [{ addr: '192.0.2.8' }] });
    const merged = mergeInventory(known, { ...reported, evidence: evidenceOf(reported, at(3)) });
    expect(merged.addresses.map((one) => one.addr)).toEqual(['192.0.2.8']);
    expect(merged).toMatchObject({ system: known.system, interfaces: known.interfaces });
  });
});

it('adds up two hosts of one scan that are one device', () => {
  const first = parse({ addresses: [{ addr: '192.0.2.1' }], evidence: evidence(2, 'addresses arp') });
  const second = parse({
    addresses: [{ addr: '198.51.100.1' }],
    routes: [{ destination: '0.0.0.0/0' }],
    evidence: evidence(2, 'addresses tcp', 'routes ssh'),
  });
  const combined = combineInventories(first, second);
  expect(combined.addresses.map((one) => one.addr)).toEqual(['198.51.100.1', '192.0.2.1']);
  expect(combined.routes).toEqual(second.routes);
  expect(combined.evidence).toEqual(evidence(2, 'addresses tcp', 'routes ssh', 'addresses arp'));
});

describe('neighbors of several protocols', () => {
  const before = parse({
    neighbors: [
      { ifname: 'p1', remoteName: 'sw1', protocol: 'lldp' },
      { ifname: 'p2', macaddr: '02:00:00:00:00:02', protocol: 'fdb' },
    ],
    evidence: evidence(1, 'neighbors lldp', 'neighbors fdb'),
  });

  it('are replaced by protocol', () => {
    const now = { ifname: 'p1', remoteName: 'sw9', protocol: 'lldp' };
    const merged = mergeInventory(
      before,
      parse({ neighbors: [now], evidence: evidence(2, 'neighbors lldp') }),
    );
    expect(merged.neighbors.map(({ ifname, remoteName }) => [ifname, remoteName])).toEqual([
      ['p1', 'sw9'],
      ['p2', undefined],
    ]);
    expect(merged.evidence).toEqual([...evidence(2, 'neighbors lldp'), ...evidence(1, 'neighbors fdb')]);
  });

  it('stay in VLANs whose table was not read', () => {
    const learned = (ifname: string, vlan: number) => ({ ifname, protocol: 'fdb', macaddr: 'aa', vlan });
    const [fdb] = evidence(2, 'neighbors fdb');
    const now = [{ ...fdb, unreadVlans: [20] }];
    const merged = mergeInventory(
      parse({
        neighbors: [learned('p1', 10), learned('p2', 20)],
        evidence: evidence(1, 'neighbors fdb'),
      }),
      parse({ neighbors: [learned('p3', 10)], evidence: now }),
    );
    expect(merged.neighbors.map(({ ifname, vlan }) => [ifname, vlan])).toEqual([
      ['p3', 10],
      ['p2', 20],
    ]);
    expect(merged.evidence).toEqual(now);
  });

  it('go when their protocol was read and tells none', () => {
    const merged = mergeInventory(
      before,
      parse({ evidence: evidence(2, 'neighbors lldp', 'neighbors fdb') }),
    );
    expect(merged.neighbors).toEqual([]);
  });
});

it('keeps what a sign-in told about the system when only SNMP could be read', () => {
  const reported = parse({
    system: { family: 'Linux', version: '6.1' },
    extraFields: { kernel: { name: 'other' }, memory: { totalSize: 1 } },
    evidence: evidence(2, 'system snmp'),
  });
  const merged = mergeInventory(
    { ...known, system: { family: 'Debian', version: '', serial: 'S1' } },
    reported,
  );
  expect(merged).toMatchObject({
    system: { family: 'Debian', version: '6.1', serial: 'S1' },
    extraFields: { kernel: { name: 'Linux' }, memory: { totalSize: 1 } },
  });
  expect(merged.evidence).toEqual(
    expect.arrayContaining([...evidence(2, 'system snmp'), ...evidence(1, 'system ssh')]),
  );
});

it('takes names that were told, whoever told them', () => {
  const reported = parse({
    addresses: [{ addr: '192.0.2.1', hostnames: [{ hostname: 'sw1' }] }],
    evidence: evidence(2, 'addresses tcp'),
  });
  expect(mergeInventory(known, reported).addresses[0]?.hostnames).toEqual([{ hostname: 'sw1' }]);
});
