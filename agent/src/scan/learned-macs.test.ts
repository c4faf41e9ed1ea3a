import { describe, expect, test } from 'vitest';
import { toRanges } from '../site/ipv4-ranges.ts';
import { addRouters, applyLearnedMacs, learnMacs, routersToAsk } from './learned-macs.ts';
import type { ReadHost } from './merge-hosts.ts';

const targets = toRanges(['10.0.1.0/24', '10.0.2.0/24']);
const at = '2026-01-01T00:00:00.000Z';
const entry = (addr: string, macaddr: string) => ({ addr, macaddr, at, credential: 'snmp/a.toml' });
const router = (...entries: ReturnType<typeof entry>[]) => ({ arp: entries });
const host = (address: string, macaddr?: string): ReadHost => ({
  ...{ address, identities: [], ownAddresses: [], refusals: [] },
  host: {
    addresses: [{ addr: address, ...(macaddr === undefined ? {} : { macaddr }) }],
    evidence: [{ group: 'addresses', source: 'tcp', at }],
  },
});

test('a host behind a router has the hardware address that the router knows, and tells so', () => {
  const learned = learnMacs([router(entry('10.0.2.5', 'aa'))], targets);
  const [found, other] = applyLearnedMacs([host('10.0.2.5'), host('10.0.2.6')], learned);
  expect(found).toMatchObject({ identities: ['mac:aa'], host: { addresses: [{ macaddr: 'aa' }] } });
  expect(found!.host.evidence).toEqual([
    { group: 'addresses', source: 'tcp', at },
    { group: 'addresses', source: 'arp', at, credential: 'snmp/a.toml' },
  ]);
  expect(other).toEqual(host('10.0.2.6'));
});

test('what the link itself told is not replaced', () => {
  const learned = learnMacs([router(entry('10.0.1.5', 'aa'))], targets);
  expect(applyLearnedMacs([host('10.0.1.5', 'bb')], learned)).toEqual([host('10.0.1.5', 'bb')]);
});

test('addresses that are no targets of the scan are not learned', () => {
  expect(learnMacs([router(entry('10.0.3.5', 'aa'), entry('8.8.8.8', 'bb'))], targets)).toEqual(new Map());
});

test('routers that disagree identify nothing, in any order', () => {
  const [first, second] = [router(entry('10.0.2.5', 'aa')), router(entry('10.0.2.5', 'bb'))];
  for (const order of [
    [first, second, first],
    [second, first],
  ])
    expect(applyLearnedMacs([host('10.0.2.5')], learnMacs(order, targets))).toEqual([host('10.0.2.5')]);
});

describe('routers of earlier blocks', () => {
  const known = (address: string, identity: string, ...networks: string[]): ReadHost => ({
    ...host(address, 'ff'),
    ...{ arp: [], identities: [identity, `mac:${identity}`], ports: [22] },
    ownAddresses: networks.map((subnet) => ({ addr: address, subnet })),
  });
  const routers = addRouters(
    [],
    [
      known('10.0.1.1', 'r1', '10.0.1.0/24', '10.0.2.0/24'),
      // The same machine at another address.
      known('10.0.2.1', 'r1', '10.0.1.0/24', '10.0.2.0/24'),
      known('10.0.1.2', 'r2', '10.0.1.0/24'),
      host('10.0.1.9'),
    ],
  );
  const asked = (...read: ReadHost[]) => routersToAsk(routers, read).map(({ address }) => address);

  test('are each kept once', () =>
    expect(routers.map(({ address, ports }) => [address, ports])).toEqual([
      ['10.0.1.1', [22]],
      ['10.0.1.2', [22]],
    ]));

  test('are asked about hosts in their networks that have no hardware address', () => {
    expect(asked(host('10.0.2.5'))).toEqual(['10.0.1.1']);
    expect(asked(host('10.0.1.5'))).toEqual(['10.0.1.1', '10.0.1.2']);
    expect(asked(host('10.0.1.5', 'aa'), host('10.0.9.5'))).toEqual([]);
  });

  test('are not asked when they were just read', () => {
    expect(asked(host('10.0.2.5'), known('10.0.2.1', 'r1', '10.0.2.0/24'))).toEqual([]);
  });
});
