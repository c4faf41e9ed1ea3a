import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addressesOf,
  includesAddress,
  intersect,
  subtract,
  toNetworks,
  toRanges,
  union,
} from './ipv4-ranges.ts';
import { effectivePace, permitsRequest, permittedRanges, type ScanPolicy, selectTargets } from './policy.ts';

const policy = (allowed: string[], forbidden: string[] = []): ScanPolicy => ({
  ...{ allowed, forbidden },
  ports: [22],
  packetsPerSecond: 100,
  parallelHosts: 8,
});
const request = (seeds: string[], allowed: string[] = [], forbidden: string[] = []) => ({
  ...{ seeds, allowed, forbidden },
});
const targetsOf = (site: ScanPolicy, asked: ReturnType<typeof request>) =>
  toNetworks(selectTargets(site, asked).ranges);

describe('targets', () => {
  test.each<[string, string[], string[], string[], string[]]>([
    ['a new agent may scan nothing', [], [], ['10.0.0.0/24'], []],
    ['what site and server permit', ['10.0.0.0/24'], [], ['10.0.0.128/25', '10.0.1.0/24'], ['10.0.0.128/25']],
    ['forbidden wins', ['10.0.0.0/29'], ['10.0.0.1'], ['10.0.0.0/30'], ['10.0.0.0', '10.0.0.2/31']],
    ['0.0.0.0/0 does not name loopback', ['0.0.0.0/0'], [], ['127.0.0.1', '10.0.0.1'], ['10.0.0.1']],
    [
      'nor metadata, link-local, multicast',
      ['0.0.0.0/0'],
      [],
      ['169.254.0.0/16', '224.0.0.1', '0.0.0.1', '255.255.255.255', '100.100.100.200'],
      [],
    ],
    ['a named part of loopback', ['127.0.0.0/29'], [], ['127.0.0.0/24'], ['127.0.0.0/29']],
    [
      'naming link-local does not name metadata',
      ['169.254.0.0/16'],
      [],
      ['169.254.169.254', '169.254.1.1'],
      ['169.254.1.1'],
    ],
    ['metadata by its own name', ['169.254.169.254'], [], ['169.254.169.254'], ['169.254.169.254']],
    ['named and forbidden', ['127.0.0.1'], ['127.0.0.0/8'], ['127.0.0.1'], []],
  ])('%s', (_, allowed, forbidden, seeds, expected) => {
    expect(targetsOf(policy(allowed, forbidden), request(seeds))).toEqual(expected);
  });

  test('the server can restrict but not extend', () => {
    const site = policy(['10.0.0.0/24']);
    expect(targetsOf(site, request(['10.0.0.0/8'], ['10.0.0.0/28', '10.9.0.0/16'], ['10.0.0.0/29']))).toEqual(
      ['10.0.0.8/29'],
    );
  });

  test('each exclusion names its network and its first reason', () => {
    const { excluded } = selectTargets(
      policy(['10.0.0.0/24'], ['10.0.0.1']),
      request(['10.0.0.0/30', '127.0.0.1', '10.1.0.0/24'], ['10.0.0.0/31', '10.0.0.2'], ['10.0.0.0']),
    );
    expect(excluded).toEqual([
      { network: '127.0.0.1', reason: 'SPECIAL_ADDRESS' },
      { network: '10.1.0.0/24', reason: 'NOT_ALLOWED_BY_SITE' },
      { network: '10.0.0.1', reason: 'FORBIDDEN_BY_SITE' },
      { network: '10.0.0.3', reason: 'NOT_ALLOWED_BY_SERVER' },
      { network: '10.0.0.0', reason: 'FORBIDDEN_BY_SERVER' },
    ]);
  });

  test('the slower pace applies', () => {
    const site = policy([]);
    expect(effectivePace(site)).toEqual({ packetsPerSecond: 100, parallelHosts: 8 });
    expect(effectivePace(site, { packetsPerSecond: 1000, parallelHosts: 64 })).toEqual(effectivePace(site));
    expect(effectivePace(site, { packetsPerSecond: 7 })).toEqual({ packetsPerSecond: 7, parallelHosts: 8 });
  });

  test.each([
    ['10.0.0.5', 443, true],
    ['10.0.0.5', 80, false],
    ['10.0.0.6', 443, false],
    ['10.1.0.5', 443, false],
  ])('a request to %s:%i: %s', (address, port, expected) => {
    const site = { allowed: ['10.0.0.0/24'], forbidden: ['10.0.0.6'], ports: [443] };
    expect(permitsRequest(site, address, port)).toBe(expected);
    expect(permitsRequest({ ...site, allowed: [] }, address, port)).toBe(false);
  });
});

/** Networks within 10.0.0.0/24, so that all addresses can be compared one by one. */
const network = fc
  .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 24, max: 32 }))
  .map(([host, bits]) => `10.0.0.${host}/${bits}`);
const networks = fc.array(network, { maxLength: 6 });
const setOf = (entries: string[]) => new Set(addressesOf(toRanges(entries)));

test('ranges behave like sets of addresses', () => {
  fc.assert(
    fc.property(networks, networks, (left, right) => {
      const [a, b] = [toRanges(left), toRanges(right)];
      const [inA, inB] = [setOf(left), setOf(right)];
      const all = [...addressesOf(toRanges(['10.0.0.0/24']))];
      const expectSet = (ranges: typeof a, expected: (address: string) => boolean) => {
        expect([...addressesOf(ranges)]).toEqual(all.filter(expected));
        expect([...addressesOf(toRanges(toNetworks(ranges)))]).toEqual(all.filter(expected));
        for (const address of all) expect(includesAddress(ranges, address)).toBe(expected(address));
      };
      expectSet(intersect(a, b), (address) => inA.has(address) && inB.has(address));
      expectSet(subtract(a, b), (address) => inA.has(address) && !inB.has(address));
      expectSet(union(a, b), (address) => inA.has(address) || inB.has(address));
    }),
    { numRuns: 60 },
  );
});

test('no request leads to an address that the site does not permit', () => {
  const entry = fc.oneof(
    network,
    fc.constantFrom(
      '0.0.0.0/0',
      '127.0.0.0/8',
      '127.0.0.1',
      '169.254.169.254',
      '169.254.0.0/16',
      '100.64.0.0/10',
    ),
  );
  const entries = fc.array(entry, { maxLength: 4 });
  fc.assert(
    fc.property(entries, entries, entries, entries, entries, (allowed, forbidden, seeds, more, less) => {
      const site = policy(allowed, forbidden);
      const { ranges } = selectTargets(site, request(seeds, more, less));
      expect(subtract(ranges, permittedRanges(site))).toEqual([]);
      expect(intersect(ranges, toRanges(forbidden))).toEqual([]);
      if (!allowed.includes('169.254.169.254'))
        expect(includesAddress(ranges, '169.254.169.254')).toBe(false);
    }),
  );
});

test('the whole address space is one network', () => {
  expect(toNetworks(toRanges(['0.0.0.0/0']))).toEqual(['0.0.0.0/0']);
  expect(toNetworks(toRanges(['0.0.0.0/1', '128.0.0.0/1', '10.0.0.1']))).toEqual(['0.0.0.0/0']);
});

test('a server that names very many addresses does not keep the agent busy', () => {
  const length = 2000;
  let reads = 0;
  const every = (first: number) => Array.from({ length }, (_, index) => first + index * 2);
  const counted = every(1).map((number) => ({
    first: number,
    get last() {
      reads += 1;
      return number;
    },
  }));
  const from = every(0).map((number) => ({ first: number, last: number }));
  expect(subtract(from, counted)).toHaveLength(length);
  expect(reads).toBeLessThan(4 * length);
});
