import { Slots } from '@yagura/core/live/slots';
import { expect, test } from 'vitest';
import { listenOn } from '../../test/listener.ts';
import { BlockSearch } from './block-search.ts';
import { type DiscoveryContext, discoverBlock } from './discover-block.ts';

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
