import { expect, test } from 'vitest';
import type { LogLine } from '../log.ts';
import type { BlockSearch } from './block-search.ts';
import type { FlushTargets, ScannerTargets } from './installed-scanners.ts';
import { NeighborSearch, type SearchContext } from './neighbor-search.ts';
import type { NeighborTable } from './neighbor-table.ts';

const neighbor = { macaddr: '52:54:00:00:00:01', ifname: 'lo' };

function blocksOf(count: number, size: number): Iterator<[number, string[]]> {
  const block = (index: number): [number, string[]] => [
    index,
    Array.from({ length: size }, (_, host) => `127.${index}.0.${host}`),
  ];
  return Array.from({ length: count }, (_, index) => block(index)).values();
}

/** Milliseconds after which the kernel gives up an address that does not answer. */
const unansweredMs = 3000;

/** A table with room for so many entries; `sent` lists the requests, whether they left an entry or not. */
function makeTable(now: () => number, size: number, hosts: readonly string[]) {
  const entries = new Map<string, number>();
  const sent: string[] = [];
  const table: NeighborTable = {
    readNeighbors: async () =>
      new Map(hosts.filter((address) => entries.has(address)).map((address) => [address, neighbor])),
    readEntries: async () => new Set(entries.keys()),
    openRequests: () => ({
      async send(address) {
        sent.push(address);
        for (const [other, since] of entries)
          if (!hosts.includes(other) && now() - since >= unansweredMs) entries.delete(other);
        if (entries.size < size) entries.set(address, now());
      },
      close: () => undefined,
    }),
  };
  return { table, sent };
}

/** Sleeping moves the time. */
function makeContext(
  parts: Partial<SearchContext>,
  { kernelSize = 1000, hosts = [] as readonly string[] } = {},
): SearchContext & { admitted: string[]; sent: string[]; lines: LogLine[] } {
  let time = 0;
  const admitted: string[] = [];
  const { table, sent } = makeTable(() => time, kernelSize, hosts);
  const lines: LogLine[] = [];
  return {
    ...{ admitted, sent, lines, table },
    admit: async (address) => admitted.push(address) > 0,
    reserve: async (addresses) => [...addresses],
    interfaceOf: () => 'lo',
    ownMacaddr: () => undefined,
    scanners: {},
    tablePlan: undefined,
    tableSize: 1000,
    perSecond: 600,
    log: (line) => lines.push(line),
    signal: new AbortController().signal,
    timing: {
      now: () => time,
      async sleep(milliseconds, signal) {
        signal.throwIfAborted();
        time += milliseconds;
      },
    },
    ...parts,
  };
}

async function drain(search: NeighborSearch): Promise<BlockSearch[]> {
  const blocks: BlockSearch[] = [];
  for (let block = search.next(); block; block = search.next()) {
    await block.ended;
    blocks.push(block);
  }
  await search.close();
  return blocks;
}

test('arp-scan receives each permitted address once, as many at a time as it may send in a second', async () => {
  const runs: ScannerTargets[] = [];
  const context = makeContext({
    tablePlan: 'arp-scan',
    reserve: async (addresses) => addresses.filter((address) => address !== '127.1.0.7'),
    scanners: {
      findNeighbors: async (targets) => {
        runs.push(targets);
        return new Map(targets.addresses.filter((one) => one.endsWith('.0.7')).map((one) => [one, neighbor]));
      },
    },
  });
  const blocks = await drain(new NeighborSearch(blocksOf(5, 256), context));
  expect(runs.map(({ addresses }) => addresses.length)).toEqual([512 - 1, 512, 256]);
  expect(new Set(runs.flatMap(({ addresses }) => addresses)).size).toBe(5 * 256 - 1);
  expect(blocks.map(({ index, found }) => [index, ...found.keys()])).toEqual([
    [0, '127.0.0.7'],
    [1],
    [2, '127.2.0.7'],
    [3, '127.3.0.7'],
    [4, '127.4.0.7'],
  ]);
  expect(context.admitted).toEqual([]);
});

test('without arp-scan, the kernel is asked once for each address, in waves that a small table can hold', async () => {
  const flushed: FlushTargets[] = [];
  const context = makeContext({
    tablePlan: 'arp-scan',
    tableSize: 12,
    scanners: {
      // It cannot be used.
      findNeighbors: async () => undefined,
      flush: async (targets) => flushed.push(targets) > 0,
    },
  });
  const blocks = await drain(new NeighborSearch(blocksOf(2, 10), context));
  const addresses = blocks.flatMap((block) => block.addresses);
  expect(context.admitted).toEqual(addresses);
  expect(context.sent).toEqual(addresses);
  // Waves end in any order.
  expect(flushed.map((targets) => targets.addresses.length).sort()).toEqual([2, 2, 4, 4, 4, 4]);
  expect(flushed.flatMap((targets) => targets.addresses).sort()).toEqual([...addresses].sort());
  expect(new Set(flushed.map(({ only }) => only))).toEqual(new Set(['unanswered']));
});

test('a request that the kernel drops because its table is full is repeated until there is room', async () => {
  const hosts = ['127.0.0.1', '127.0.0.7', '127.1.0.9'];
  const context = makeContext({}, { kernelSize: 6, hosts });
  const blocks = await drain(new NeighborSearch(blocksOf(2, 10), context));
  expect(blocks.flatMap(({ found }) => [...found.keys()])).toEqual(hosts);
  // At the pace of the scan. An address that left an entry is not asked again after the kernel has given it up.
  expect(context.sent).toEqual(context.admitted);
  expect(context.sent.filter((address) => address === '127.0.0.2')).toHaveLength(1);
  expect(context.lines).toEqual([]);
});

test('at a slow pace, an address is not asked again after the kernel has given it up', async () => {
  const context = makeContext({}, { kernelSize: 10 });
  const { admit, timing, signal } = context;
  const slow = {
    ...context,
    async admit(address: string) {
      await timing.sleep(1000, signal);
      return admit(address);
    },
  };
  await drain(new NeighborSearch(blocksOf(1, 30), slow));
  expect(context.sent).toEqual(blocksOf(1, 30).next().value[1]);
});

test('addresses for which the table has no room in time are counted in the log', async () => {
  const context = makeContext({}, { kernelSize: 2, hosts: ['127.0.0.0', '127.0.0.1'] });
  const [block] = await drain(new NeighborSearch(blocksOf(1, 5), context));
  expect([...block!.found.keys()]).toEqual(['127.0.0.0', '127.0.0.1']);
  expect([...block!.withoutEntry]).toEqual(['127.0.0.2', '127.0.0.3', '127.0.0.4']);
  expect(context.lines).toMatchObject([{ level: 'warn', addresses: 3 }]);
});

test('only a few blocks are searched ahead of their use', async () => {
  const taken: number[] = [];
  const blocks = blocksOf(20, 1);
  const counted: Iterator<[number, string[]]> = {
    next() {
      const result = blocks.next();
      if (!result.done) taken.push(result.value[0]);
      return result;
    },
  };
  const search = new NeighborSearch(counted, makeContext({ interfaceOf: () => undefined }));
  expect(search.next()?.index).toBe(0);
  expect(taken).toEqual([0, 1, 2, 3, 4]);
  await search.close();
});

test('an error reaches those who wait for the block', async () => {
  const context = makeContext({
    tablePlan: 'arp-scan',
    reserve: async () => {
      throw new Error('stop');
    },
    scanners: { findNeighbors: async () => new Map() },
  });
  const search = new NeighborSearch(blocksOf(1, 4), context);
  const block = search.next()!;
  await expect(block.begun).rejects.toThrow('stop');
  await expect(block.ended).rejects.toThrow('stop');
  await search.close();
});
