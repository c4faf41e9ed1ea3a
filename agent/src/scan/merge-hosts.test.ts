import { expect, test } from 'vitest';
import { toRanges } from '../site/ipv4-ranges.ts';
import { makeChunks, toVersion1 } from './make-chunks.ts';
import { mergeHosts, type ReadHost } from './merge-hosts.ts';

const targets = toRanges(['10.0.0.0/24', '10.0.1.0/24']);
const readHost = (address: string, identities: string[], own: string[] = []): ReadHost => ({
  address,
  identities,
  ownAddresses: own.map((addr) => ({ addr, subnet: `${addr.replace(/\d+$/, '0')}/24` })),
  host: { addresses: [{ addr: address }] },
  refusals: [],
});
const addresses = (results: ReturnType<typeof mergeHosts>['results']) =>
  results.map(({ host }) => host.addresses!.map(({ addr }) => addr)).sort();

test('two addresses of one machine are one host', () => {
  const { results } = mergeHosts(
    [
      readHost('10.0.1.1', ['mac:a2']),
      readHost('10.0.0.1', ['key:k', 'mac:a1', 'mac:a2'], ['10.0.0.1', '10.0.1.1', '172.17.0.1']),
    ],
    { targets, owned: {} },
  );
  expect(addresses(results)).toEqual([['10.0.0.1', '10.0.1.1']]);
});

test('an address that a host only claims stays a host of its own', () => {
  const { results } = mergeHosts(
    [
      readHost('10.0.0.1', ['key:k', 'mac:a1'], ['10.0.0.1', '10.0.0.9']),
      readHost('10.0.0.9', ['mac:other']),
    ],
    { targets, owned: {} },
  );
  expect(addresses(results)).toEqual([['10.0.0.1'], ['10.0.0.9']]);
});

test('clones with one machine id and host key are two hosts', () => {
  const { results } = mergeHosts(
    [
      readHost('10.0.0.1', ['id:x', 'key:k'], ['10.0.0.1']),
      readHost('10.0.0.2', ['id:x', 'key:k'], ['10.0.0.2']),
    ],
    { targets, owned: {} },
  );
  expect(addresses(results)).toEqual([['10.0.0.1'], ['10.0.0.2']]);
});

test('an address found in a later block belongs to the host that was reported before', () => {
  const first = mergeHosts([readHost('10.0.0.1', ['key:k', 'mac:a1'], ['10.0.0.1', '10.0.1.1'])], {
    ...{ targets, owned: {} },
  });
  expect(addresses(first.results)).toEqual([['10.0.0.1', '10.0.1.1']]);
  const same = mergeHosts([readHost('10.0.1.1', ['key:k'], ['10.0.0.1', '10.0.1.1'])], {
    ...{ targets, owned: first.owned },
  });
  expect(same.results).toEqual([]);
  const other = mergeHosts([readHost('10.0.1.1', ['key:z'])], { targets, owned: first.owned });
  expect(addresses(other.results)).toEqual([['10.0.1.1']]);
});

test('chunks are cut by hosts, refusals and bytes, and keep the refusals of a host with it', () => {
  const result = (refusals: number, text = '') => ({
    host: { extraFields: { text } },
    refusals: Array.from({ length: refusals }, () => ({
      addr: '10.0.0.1',
      protocol: 'ssh',
      code: 'TIMEOUT',
    })),
  });
  expect(makeChunks(Array.from({ length: 401 }, () => result(0))).map(({ hosts }) => hosts.length)).toEqual([
    200, 200, 1,
  ]);
  expect(makeChunks([result(600), result(600)]).map(({ refusals }) => refusals.length)).toEqual([600, 600]);
  // Bytes count, not letters.
  expect(makeChunks([result(0, 'あ'.repeat(100)), result(0, 'あ'.repeat(100))], 600)).toHaveLength(2);
  expect(makeChunks([result(0, 'a'.repeat(100)), result(0, 'a'.repeat(100))], 600)).toHaveLength(1);
  expect(makeChunks([])).toEqual([]);
});

test('version 1 takes neither refusals nor neighbors without a hardware address', () => {
  const neighbors = [
    { ifname: 'eth0', remoteName: 'switch' },
    { ifname: 'eth1', macaddr: '02:00:00:00:00:01' },
  ];
  const chunk = {
    hosts: [{ neighbors }],
    refusals: [{ addr: '10.0.0.1', protocol: 'ssh', code: 'TIMEOUT' }],
  };
  expect(toVersion1(chunk)).toEqual({ hosts: [{ neighbors: [neighbors[1]] }] });
});

test('the result does not depend on which host answered first', () => {
  const router = (address: string) => readHost(address, ['key:k', 'mac:a1'], ['10.0.0.1', '10.0.1.1']);
  const read = [router('10.0.0.1'), readHost('10.0.0.7', []), router('10.0.1.1'), readHost('10.0.0.10', [])];
  const expected = [['10.0.0.1', '10.0.1.1'], ['10.0.0.7'], ['10.0.0.10']];
  for (const order of [read, read.toReversed()]) {
    const { results } = mergeHosts(order, { targets, owned: {} });
    expect(results.map(({ host }) => host.addresses!.map(({ addr }) => addr))).toEqual(expected);
  }
});
