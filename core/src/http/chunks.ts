// Runs many calls, ten at a time, with results in the order of the items.

export const chunkSize = 10;

export interface ChunkOptions {
  /** Maximum number of parallel calls; default 10. */
  size?: number;
  /** Called after every call, successful or not. */
  onProgress?: (done: number, total: number) => void;
  /** Checked before every chunk; throws its reason. */
  signal?: AbortSignal;
  /** Checked before every chunk; once aborted, no further chunk starts, and the results so far are returned. */
  stop?: AbortSignal;
}

/** The items in groups of at most `size`, in order. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/**
 * Results in order. The first failure, in item order, is thrown when its chunk has ended; later chunks do not
 * start.
 */
export async function mapInChunks<I, O>(
  items: readonly I[],
  work: (item: I, index: number) => Promise<O>,
  options: ChunkOptions = {},
): Promise<O[]> {
  const results: O[] = [];
  for await (const chunk of settledChunks(items, work, options)) {
    for (const outcome of chunk) {
      if (outcome.status === 'rejected') throw outcome.reason;
      results.push(outcome.value);
    }
  }
  return results;
}

/** Outcomes in order; failures are collected and every item is attempted, unless `stop` is aborted. */
export async function settleInChunks<I, O>(
  items: readonly I[],
  work: (item: I, index: number) => Promise<O>,
  options: ChunkOptions = {},
): Promise<PromiseSettledResult<O>[]> {
  const outcomes: PromiseSettledResult<O>[] = [];
  for await (const chunk of settledChunks(items, work, options)) outcomes.push(...chunk);
  return outcomes;
}

async function* settledChunks<I, O>(
  items: readonly I[],
  work: (item: I, index: number) => Promise<O>,
  { size = chunkSize, onProgress, signal, stop }: ChunkOptions,
): AsyncGenerator<PromiseSettledResult<O>[]> {
  if (!Number.isInteger(size) || size < 1) throw new RangeError('size must be a whole number from 1 up');
  let done = 0;
  for (let first = 0; first < items.length; first += size) {
    signal?.throwIfAborted();
    if (stop?.aborted) return;
    yield await Promise.allSettled(
      items.slice(first, first + size).map(async (item, index) => {
        try {
          return await work(item, first + index);
        } finally {
          done += 1;
          onProgress?.(done, items.length);
        }
      }),
    );
  }
}
