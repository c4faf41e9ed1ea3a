import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Batcher, BatcherFull, type BatchLimits, RejectedItem } from './batcher.ts';

const wide: BatchLimits = { items: 100, bytes: 1000, waitingItems: 100, waitingBytes: 1000 };

/** A batcher whose writes complete when the test says so. */
function held(limits: Partial<BatchLimits> = {}) {
  const writes: { items: number[]; end(error?: Error): void }[] = [];
  const batcher = new Batcher<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        writes.push({
          items,
          end: (error) => (error ? reject(error) : resolve(items.map((item) => `done ${item}`))),
        });
      }),
    { ...wide, ...limits },
  );
  const started = async (count: number) => expect.poll(() => writes.length, { interval: 1 }).toBe(count);
  return { batcher, writes, started };
}

describe('Batcher', () => {
  test('what comes while a write runs goes into the next one, and each gets its own result', async () => {
    const { batcher, writes, started } = held();
    const first = [batcher.add(1), batcher.add(2)];
    await started(1);
    const second = [batcher.add(3), batcher.add(4), batcher.add(5)];
    expect(writes.map((write) => write.items)).toEqual([[1, 2]]);
    writes[0]!.end();
    expect(await Promise.all(first)).toEqual(['done 1', 'done 2']);
    await started(2);
    writes[1]!.end();
    expect(await Promise.all(second)).toEqual(['done 3', 'done 4', 'done 5']);
    expect(writes.map((write) => write.items)).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    await batcher.drained();
  });

  test.each([
    [5, 5],
    [40, 16],
  ])('of items that arrive in %s turns of the event loop, a write takes %s', async (turns, wanted) => {
    const { batcher, writes, started } = held();
    const arrive = (at: number) => {
      // Called before the batcher in each turn, as the sockets are.
      if (at < turns) setImmediate(() => arrive(at + 1));
      if (at > 0 && writes.length === 0) void batcher.add(at);
    };
    arrive(1);
    await started(1);
    expect(writes[0]!.items).toEqual(Array.from({ length: wanted }, (_, at) => at + 1));
    writes[0]!.end();
    await batcher.drained();
  });

  test('a write that fails fails its own items only', async () => {
    const { batcher, writes, started } = held();
    const lost = batcher.add(1);
    await started(1);
    const kept = batcher.add(2);
    writes[0]!.end(new Error('disk'));
    await expect(lost).rejects.toThrow('disk');
    await started(2);
    writes[1]!.end();
    expect(await kept).toBe('done 2');
  });

  test.each([
    ['items', { items: 2 }, [1, 1, 1, 1, 1], [2, 2, 1]],
    ['bytes', { bytes: 10 }, [4, 4, 4, 25, 1], [2, 1, 1, 1]],
    ['bytes to the last one', { bytes: 10 }, [4, 6, 1, 9, 1], [2, 2, 1]],
  ])('a write has at most so many %s, but always one item', async (_name, limits, sizes, wanted) => {
    const batches: number[] = [];
    const batcher = new Batcher<number, number>(
      async (items) => {
        batches.push(items.length);
        return items;
      },
      { ...wide, ...limits },
    );
    const results = await Promise.all(sizes.map((size, at) => batcher.add(at, size)));
    expect(results).toEqual(sizes.map((_, at) => at));
    expect(batches).toEqual(wanted);
  });

  test.each([
    ['items', { waitingItems: 2 }, 1],
    ['bytes', { waitingBytes: 20 }, 10],
  ])('when too many %s wait, more are refused until some are written', async (_name, limits, size) => {
    const { batcher, writes, started } = held(limits);
    const kept = [batcher.add(1, size), batcher.add(2, size)];
    await expect(batcher.add(3, size)).rejects.toThrow(BatcherFull);
    await started(1);
    kept.push(batcher.add(4, size));
    writes[0]!.end();
    await started(2);
    writes[1]!.end();
    expect(await Promise.all(kept)).toEqual(['done 1', 'done 2', 'done 4']);
  });

  test('tells how much waits, and has room for what is as large as the rest', async () => {
    const { batcher, writes, started } = held({ waitingItems: 4, waitingBytes: 20 });
    const kept = [batcher.add(1, 15), batcher.add(2)];
    expect([batcher.length, batcher.size]).toEqual([2, 15]);
    expect([batcher.isFullFor(5), batcher.isFullFor(6)]).toEqual([false, true]);
    kept.push(batcher.add(3, 5));
    await expect(batcher.add(4, 1)).rejects.toThrow(BatcherFull);
    kept.push(batcher.add(4));
    await expect(batcher.add(5)).rejects.toThrow(BatcherFull);
    await started(1);
    expect([batcher.length, batcher.size]).toEqual([0, 0]);
    writes[0]!.end();
    await Promise.all(kept);
  });

  test('drained waits for all, and at once when nothing waits', async () => {
    const { batcher, writes, started } = held();
    await batcher.drained();
    const done = batcher.add(1);
    let drained = false;
    const waiting = batcher.drained().then(() => {
      drained = true;
    });
    await started(1);
    expect(drained).toBe(false);
    writes[0]!.end();
    await done;
    await waiting;
  });

  test('an item that alone is refused fails alone', async () => {
    const batcher = new Batcher<number, number>(
      async (items) => items.map((item) => (item === 2 ? new RejectedItem(new Error('no 2')) : item)),
      wide,
    );
    const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
    expect(results).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: new Error('no 2') },
      { status: 'fulfilled', value: 3 },
    ]);
  });
});

describe('gathering', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function gatheringBatcher() {
    const writes: number[][] = [];
    const batcher = new Batcher<number, number>(
      async (items) => {
        writes.push(items);
        return items;
      },
      { ...wide, gathering: { milliseconds: 25, items: 3 } },
    );
    const turns = async () => {
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    return { batcher, writes, turns };
  }

  test('the first item waits for others until its time is over, each time anew', async () => {
    const { batcher, writes, turns } = gatheringBatcher();
    const first = [batcher.add(1), batcher.add(2)];
    await vi.advanceTimersByTimeAsync(24);
    await turns();
    expect(writes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.all(first)).toEqual([1, 2]);
    const second = batcher.add(3);
    await turns();
    expect(writes).toEqual([[1, 2]]);
    await vi.advanceTimersByTimeAsync(25);
    await second;
    expect(writes).toEqual([[1, 2], [3]]);
  });

  test.each([
    ['enough items', (batcher: Batcher<number, number>) => [batcher.add(2), batcher.add(3)], [1, 2, 3]],
    ['an urgent item', (batcher: Batcher<number, number>) => [batcher.add(2, 0, true)], [1, 2]],
    ['a flush', (batcher: Batcher<number, number>) => [batcher.flush()], [1]],
    ['somebody who waits for all', (batcher: Batcher<number, number>) => [batcher.drained()], [1]],
  ])('%s ends the wait', async (_what, end, written) => {
    const { batcher, writes, turns } = gatheringBatcher();
    const first = batcher.add(1);
    await turns();
    await Promise.all(end(batcher));
    await first;
    expect(writes).toEqual([written]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ['alone', [] as number[], [2]],
    ['with others', [2], [2, 3]],
  ])(
    'an urgent item that arrives %s during a write is in the next one at once',
    async (_how, waiting, next) => {
      const writes: number[][] = [];
      let endFirst: (() => void) | undefined;
      const batcher = new Batcher<number, number>(
        async (items) => {
          writes.push(items);
          if (writes.length === 1)
            await new Promise<void>((resolve) => {
              endFirst = resolve;
            });
          return items;
        },
        { ...wide, gathering: { milliseconds: 25, items: 100 } },
      );
      const first = batcher.add(1, 0, true);
      await vi.waitFor(() => expect(endFirst).toBeDefined());
      const others = next.map((item) => batcher.add(item, 0, !waiting.includes(item)));
      endFirst!();
      await Promise.all([first, ...others]);
      expect(writes).toEqual([[1], next]);
    },
  );
});
