import { Slots } from '@yagura/core/live/slots';
import { expect, test } from 'vitest';
import { listenOn } from '../../test/listener.ts';
import { BlockSearch } from './block-search.ts';
import { type DiscoveryContext, discoverBlock, maxSilentAddresses } from './discover-block.ts';

test('addresses that the kernel did not look for are tried by their ports', async () => {
  const listener = await listenOn('127.0.0.1');
  const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
  const search = new BlockSearch(0, addresses, new Map(addresses.map((address) => [address, 'lo'])));
  let probed = 0;
  const context = {
    admit: async () => true,
    ownMacaddr: () => undefined,
    portsOf: () => [listener.port],
    scanners: {},
    parallelHosts: 4,
    slots: new Slots(4),
    signal: new AbortController().signal,
    now: () => 1,
    tablePlan: undefined,
    onProbed: () => probed++,
  } as Partial<DiscoveryContext> as DiscoveryContext;
  try {
    // The table had room for 127.0.0.3, which did not answer.
    search.withoutEntry.add('127.0.0.1').add('127.0.0.2');
    search.begin();
    search.end();
    expect((await discoverBlock(search, context)).filter(({ ports }) => ports.length > 0)).toEqual([
      { address: '127.0.0.1', ports: [listener.port], at: 1 },
    ]);
    expect(probed).toBe(3);
    expect(listener.connections()).toBe(1);
  } finally {
    await listener.close();
  }
});

test.each([
  ['are all found', maxSilentAddresses, maxSilentAddresses, 0],
  ['are not found, but for itself and those that answer to a ping', maxSilentAddresses + 1, 1, 1],
])('the addresses of one machine, silent on their ports: %s (%i)', async (_, count, neighbors, pinged) => {
  const addresses = Array.from({ length: count }, (_, at) => `10.0.0.${at + 1}`);
  const other = '10.0.0.100';
  const search = new BlockSearch(0, addresses, new Map([...addresses, other].map((one) => [one, 'eth0'])));
  const context = {
    admit: async () => true,
    ownMacaddr: () => undefined,
    portsOf: () => [],
    scanners: { findByPing: async () => new Set(['10.0.0.7']) },
    reserve: async (asked) => [...asked],
    parallelHosts: 4,
    slots: new Slots(4),
    signal: new AbortController().signal,
    now: () => 1,
    tablePlan: undefined,
    onProbed: () => undefined,
  } as Partial<DiscoveryContext> as DiscoveryContext;
  search.begin();
  for (const address of addresses) search.add(address, { macaddr: '52:54:00:00:00:01', ifname: 'eth0' });
  search.add(other, { macaddr: '52:54:00:00:00:02', ifname: 'eth0' });
  search.end();
  const found = await discoverBlock(search, context);
  expect(found.some(({ address, macaddr }) => address === '10.0.0.1' && macaddr !== undefined)).toBe(true);
  expect(found.filter(({ macaddr }) => macaddr === '52:54:00:00:00:01')).toHaveLength(neighbors);
  expect(found.filter(({ macaddr }) => macaddr === '52:54:00:00:00:02')).toHaveLength(1);
  expect(found.filter(({ macaddr }) => macaddr === undefined)).toEqual(
    pinged ? [{ address: '10.0.0.7', isPinged: true, ports: [], at: 1 }] : [],
  );
});
