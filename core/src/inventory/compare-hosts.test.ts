import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ComparedHost, compareHosts } from './compare-hosts.ts';
import { reportedInventoryShape } from './host-inventory.ts';

const at = '2026-01-01T00:00:00Z';
type Input = z.input<z.ZodObject<typeof reportedInventoryShape>> &
  Partial<Pick<ComparedHost, 'packages' | 'windowsUpdates'>>;

/** A host of which these groups were read, by ssh or as in `neighbors:lldp`. */
function host(groups: string, { packages = [], windowsUpdates = [], ...inventory }: Input): ComparedHost {
  const evidence = groups.split(' ').map((read) => {
    const [group, source = 'ssh'] = read.split(':');
    return { group, source, at };
  });
  const parsed = z.object(reportedInventoryShape).parse({ ...inventory, evidence });
  return { ...parsed, packages, windowsUpdates };
}
const told = (before: ComparedHost, after: ComparedHost) =>
  compareHosts(before, after).map(
    ({ kind, change, entry, before: old, after: now }) => `${kind} ${change} ${entry}: ${old} > ${now}`,
  );

describe('the comparison of two readings of a host', () => {
  const cases: [name: string, before: ComparedHost, after: ComparedHost, expected: string[]][] = [
    [
      'addresses',
      host('addresses', { addresses: [{ addr: '10.0.0.1' }, { addr: '10.0.0.2', macaddr: 'aa' }] }),
      host('addresses', {
        addresses: [{ addr: '10.0.0.2', macaddr: 'bb', hostnames: [{ hostname: 'n' }] }, { addr: 'fd00::1' }],
      }),
      [
        'address removed 10.0.0.1:  > null',
        'address changed 10.0.0.2: aa > bb n',
        'address added fd00::1: null > ',
      ],
    ],
    [
      'interfaces, whose rows are their addresses',
      host('interfaces', {
        interfaces: [
          { ifname: 'eth0', macaddr: 'aa', linkState: 'up', addr: 'fd00::1', netmask: '64' },
          { ifname: 'eth0', macaddr: 'aa', linkState: 'up', addr: '10.0.0.1', netmask: '255.255.255.0' },
          { ifname: 'eth1' },
          { ifname: 'lo', addr: '::1' },
          { ifname: 'lo', addr: '127.0.0.1' },
        ],
      }),
      host('interfaces', {
        interfaces: [
          { ifname: 'eth0', macaddr: 'aa', linkState: 'down' },
          { ifname: 'eth2', linkState: 'up' },
          { ifname: 'lo', addr: '127.0.0.1' },
          { ifname: 'lo', addr: '::1' },
        ],
      }),
      [
        'interface changed eth0: up aa 10.0.0.1/255.255.255.0, fd00::1/64 > down aa',
        'interface removed eth1:  > null',
        'interface added eth2: null > up',
      ],
    ],
    [
      'interfaces without links to containers',
      host('interfaces', {
        interfaces: [
          { ifname: 'veth1a2b3c4', linkState: 'up' },
          { ifname: 'cali0123456789a' },
          { ifname: 'veth0' },
        ],
      }),
      host('interfaces', {
        interfaces: [{ ifname: 'vethfe01d2c', linkState: 'up' }, { ifname: 'lxc0a1b2c3d4e5f' }],
      }),
      ['interface removed veth0:  > null'],
    ],
    [
      'packages, of which two versions may be installed',
      host('packages', {
        packages: ['1', '2'].map((version) => ({ name: 'linux', version, arch: 'amd64' })),
      }),
      host('packages', {
        packages: ['2', '3'].map((version) => ({ name: 'linux', version, arch: 'amd64' })),
      }),
      ['package changed linux amd64: 1, 2 > 2, 3'],
    ],
    [
      'Windows updates',
      host('windowsUpdates', { windowsUpdates: [] }),
      host('windowsUpdates', { windowsUpdates: [{ hotfixId: 'KB1', description: 'Update' }] }),
      ['windows-update added KB1: null > Update'],
    ],
    [
      'listening ports',
      host('listening', { listening: [{ protocol: 'tcp', address: '0.0.0.0', port: 80, process: 'nginx' }] }),
      host('listening', { listening: [{ protocol: 'tcp', address: '0.0.0.0', port: 80, process: 'caddy' }] }),
      ['port changed tcp/80 0.0.0.0: nginx > caddy'],
    ],
    [
      'services',
      host('services', { addresses: [{ addr: '10.0.0.1', services: [{ name: 'ssh', port: 22 }] }] }),
      host('services', { addresses: [{ addr: '10.0.0.1', services: [] }] }),
      ['service removed tcp/22 10.0.0.1: ssh > null'],
    ],
    [
      'routes',
      host('routes', { routes: [{ destination: '0.0.0.0/0', gateway: '10.0.0.1' }] }),
      host('routes', {
        routes: [{ destination: '0.0.0.0/0', gateway: '10.0.0.2', ifname: 'eth0', metric: 0 }],
      }),
      ['route changed 0.0.0.0/0: 10.0.0.1 > 10.0.0.2 eth0 0'],
    ],
    [
      'neighbors',
      host('neighbors', { neighbors: [{ ifname: 'Gi1', macaddr: 'aa' }] }),
      host('neighbors', { neighbors: [{ ifname: 'Gi1', remoteName: 'sw2', remoteIfname: 'Gi9' }] }),
      ['neighbor changed Gi1: aa > sw2 Gi9'],
    ],
    [
      'the system, down to single details',
      host('system', {
        system: { serial: 'x' },
        extraFields: { memory: { totalSize: 1 }, bios: { a: 'b' } },
      }),
      host('system', { system: { serial: 'x', family: 'Linux' }, extraFields: { memory: { totalSize: 2 } } }),
      [
        'system removed bios.a: b > null',
        'system added family: null > Linux',
        'system changed memory.totalSize: 1 > 2',
      ],
    ],
  ];
  it.each(cases)('tells %s', (_name, before, after, expected) =>
    expect(told(before, after)).toEqual(expected),
  );
  it.each(cases)('tells nothing of equal %s', (_name, before, after) => {
    expect(told(before, before)).toEqual([]);
    expect(told(after, after)).toEqual([]);
  });

  it('does not take for gone what one of the scans did not read', () => {
    const full = host('packages listening', {
      packages: [{ name: 'a', version: '1', arch: '' }],
      listening: [{ protocol: 'tcp', address: '::', port: 1 }],
    });
    expect(told(full, host('addresses', {}))).toEqual([]);
    expect(told(host('addresses', {}), full)).toEqual([]);
    expect(told(full, host('packages', {}))).toEqual(['package removed a: 1 > null']);
  });

  describe('leaves out the neighbors that one of the scans could not have found:', () => {
    const lldp = { ifname: 'p1', protocol: 'lldp', remoteName: 'core1' } as const;
    const learned = (ifname: string, vlan: number) =>
      ({ ifname, protocol: 'fdb', macaddr: 'aa', vlan }) as const;
    const both = host('neighbors:lldp neighbors:fdb', {
      neighbors: [lldp, learned('p2', 10), learned('p3', 20)],
    });

    it('those of a protocol that it did not read', () => {
      const without = host('neighbors:lldp', { neighbors: [] });
      expect(told(both, without)).toEqual(['neighbor removed p1: core1 > null']);
      expect(told(without, both)).toEqual(['neighbor added p1: null > core1']);
    });

    it('those of a VLAN whose table it did not read', () => {
      const read = host('neighbors:lldp neighbors:fdb', { neighbors: [lldp] });
      const unread = {
        ...read,
        evidence: read.evidence!.map((one) => (one.source === 'fdb' ? { ...one, unreadVlans: [20] } : one)),
      };
      expect(told(both, read)).toEqual([
        'neighbor removed p2 VLAN 10: aa > null',
        'neighbor removed p3 VLAN 20: aa > null',
      ]);
      expect(told(both, unread)).toEqual(['neighbor removed p2 VLAN 10: aa > null']);
      expect(told(unread, both)).toEqual(['neighbor added p2 VLAN 10: null > aa']);
    });
  });

  it('does not compare what SNMP told with what a script on the host told', () => {
    const inventory = (family: string, metric?: number): Input => ({
      system: { family, serial: metric === undefined ? 'S1' : '' },
      routes: [{ destination: '0.0.0.0/0', gateway: '10.0.0.1', metric }],
      extraFields: metric === undefined ? { bios: { vendorName: 'x' } } : {},
    });
    const byScript = host('system routes', inventory('Debian GNU/Linux'));
    const byBoth = host('system system:snmp routes', inventory('Debian'));
    const bySnmp = host('system:snmp routes:snmp', inventory('Linux', 0));
    const bySnmpLater = host('system:snmp routes:snmp', inventory('Linux 6', 0));
    expect(told(byScript, bySnmp)).toEqual([]);
    expect(told(bySnmp, byBoth)).toEqual([]);
    expect(told(byScript, byBoth)).toEqual(['system changed family: Debian GNU/Linux > Debian']);
    expect(told(bySnmp, bySnmpLater)).toEqual(['system changed family: Linux > Linux 6']);
  });

  it('takes a host without types for one of an unknown type', () => {
    const of = (...types: string[]) => host('system', { deviceTypes: types.map((type) => ({ type })) });
    expect(told(of('router'), of())).toEqual([]);
    expect(told(of(), of('router'))).toEqual([]);
    expect(told(of('router'), of('switch'))).toEqual(['system changed deviceTypes: router > switch']);
  });

  it('compares all of a host that was stored before it was known what was read', () => {
    const { evidence: _none, ...before } = host('packages', {
      packages: [{ name: 'a', version: '1', arch: '' }],
    });
    expect(told(before, host('packages', {}))).toEqual(['package removed a: 1 > null']);
  });

  it('bounds how deep it looks into details', () => {
    const deep = (value: string) => {
      let inner: unknown = value;
      for (let level = 0; level < 50; level++) inner = { inner };
      return host('system', { extraFields: inner as never });
    };
    expect(compareHosts(deep('a'), deep('b'))).toHaveLength(1);
  });
});
