import { expect, test } from 'vitest';
import { toRanges } from '../site/ipv4-ranges.ts';
import { applyLearnedMacs, learnedAfter, learnMacs } from './learned-macs.ts';
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
  const learned = learnMacs({}, [router(entry('10.0.2.5', 'aa'))], targets);
  const [found, other] = applyLearnedMacs([host('10.0.2.5'), host('10.0.2.6')], learned);
  expect(found).toMatchObject({ identities: ['mac:aa'], host: { addresses: [{ macaddr: 'aa' }] } });
  expect(found!.host.evidence).toEqual([
    { group: 'addresses', source: 'tcp', at },
    { group: 'addresses', source: 'arp', at, credential: 'snmp/a.toml' },
  ]);
  expect(other).toEqual(host('10.0.2.6'));
});

test('what the link itself told is not replaced', () => {
  const learned = learnMacs({}, [router(entry('10.0.1.5', 'aa'))], targets);
  expect(applyLearnedMacs([host('10.0.1.5', 'bb')], learned)).toEqual([host('10.0.1.5', 'bb')]);
});

test('addresses that are no targets of the scan are not learned', () => {
  expect(learnMacs({}, [router(entry('10.0.3.5', 'aa'), entry('8.8.8.8', 'bb'))], targets)).toEqual({});
});

test('routers that disagree identify nothing, in any order and block', () => {
  const [first, second] = [router(entry('10.0.2.5', 'aa')), router(entry('10.0.2.5', 'bb'))];
  for (const order of [
    [first, second],
    [second, first],
  ]) {
    const together = learnMacs({}, order, targets);
    const apart = order.reduce((known, one) => learnMacs(known, [one], targets), {});
    for (const learned of [together, apart, learnMacs(apart, [first], targets)])
      expect(applyLearnedMacs([host('10.0.2.5')], learned)).toEqual([host('10.0.2.5')]);
  }
});

test('only what is still to be scanned is kept', () => {
  const learned = learnMacs({}, [router(entry('10.0.1.255', 'aa'), entry('10.0.2.5', 'bb'))], targets);
  expect(Object.keys(learnedAfter(learned, '10.0.1.255'))).toEqual(['10.0.2.5']);
});
