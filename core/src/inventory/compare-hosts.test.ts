import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ComparedHost, compareHosts } from './compare-hosts.ts';
import { reportedInventoryShape } from './host-inventory.ts';

const at = '2026-01-01T00:00:00Z';
type Input = z.input<z.ZodObject<typeof reportedInventoryShape>> &
  Partial<Pick<ComparedHost, 'packages' | 'windowsUpdates'>>;

/** A host of which these groups were read. */
function host(groups: string, { packages = [], windowsUpdates = [], ...inventory }: Input): ComparedHost {
  const evidence = groups.split(' ').map((group) => ({ group, source: 'ssh', at }));
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
