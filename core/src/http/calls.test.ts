import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapInChunks, settleInChunks } from './chunks.ts';
import { fetchAllPages, type ListQuery, type Page } from './page.ts';
import { Problem } from './problem.ts';
import { reactionToError } from './problem-reaction.ts';
import { isRepeatable, type RetryOptions } from './retry.ts';
import { type Fetch, send } from './transport.ts';

const origin = 'http://space.test';
const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

describe('chunks', () => {
  it('keeps order, never has more than a chunk at once and tells of progress', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer(), { maxLength: 35 }),
        fc.scheduler(),
        async (items, scheduler) => {
          let running = 0;
          let max = 0;
          const progress: number[] = [];
          const run = mapInChunks(
            items,
            async (item) => {
              max = Math.max(max, ++running);
              await scheduler.schedule(Promise.resolve());
              running -= 1;
              return item * 2;
            },
            { onProgress: (done) => progress.push(done) },
          );
          await scheduler.waitFor(run);
          expect(await run).toEqual(items.map((item) => item * 2));
          expect(max).toBe(Math.min(10, items.length));
          expect(progress).toEqual(items.map((_, index) => index + 1));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('stops at the first failure after its chunk, or collects', async () => {
    const items = Array.from({ length: 25 }, (_, index) => index);
    const tried: number[] = [];
    const work = async (item: number) => {
      tried.push(item);
      if (item === 13 || item === 11) throw new Error(`bad ${item}`);
      return item;
    };
    await expect(mapInChunks(items, work)).rejects.toThrow('bad 11');
    expect(tried).toHaveLength(20);
    const outcomes = await settleInChunks(items, work);
    expect(outcomes.flatMap((o, i) => (o.status === 'rejected' ? [i] : []))).toEqual([11, 13]);
    await expect(mapInChunks(items, work, { size: 0 })).rejects.toThrow(RangeError);
  });
});

describe('retry', () => {
  const methods = ['GET', 'HEAD', 'PUT', 'DELETE', 'POST', 'PATCH'];
  const noWait: RetryOptions = { wait: async () => {}, random: () => 0.5 };
  it('repeats 429 always, 503 only what is idempotent, nothing else, and never exceeds its tries', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods),
        fc.constantFrom<Record<string, string>[]>(
          {},
          { 'Idempotency-Key': 'k' },
          { 'If-Match': '"1"' },
          { 'idempotency-key': '' },
        ),
        fc.array(fc.constantFrom(200, 400, 404, 429, 500, 503, 0), { minLength: 4, maxLength: 4 }),
        async (method, headers, statuses) => {
          let calls = 0;
          const fetch: Fetch = async () => {
            const status = statuses[calls++]!;
            if (status === 0) throw new TypeError('connection refused');
            return json({ title: 'x' }, status);
          };
          const request = { method, path: '/x', headers };
          const failure = await send({ fetch, origin, retry: noWait }, request).then(
            () => undefined,
            (error: Problem) => error,
          );
          const repeatable =
            !('If-Match' in headers) &&
            (!['POST', 'PATCH'].includes(method) || (method === 'POST' && 'Idempotency-Key' in headers));
          expect(isRepeatable(request)).toBe(repeatable);
          const again = [429, ...(repeatable ? [503] : [])];
          const ends = statuses.findIndex((status) => !again.includes(status));
          expect(calls).toBe(ends < 0 ? 4 : ends + 1);
          const last = statuses[calls - 1]!;
          expect(failure?.status).toBe(last === 200 ? undefined : last || 503);
        },
      ),
    );
  });

  it('waits for Retry-After plus jitter, doubles, and gives up on a wait that is too long', async () => {
    const waits: number[] = [];
    const announced: unknown[] = [];
    const retry: RetryOptions = {
      wait: async (ms) => void waits.push(ms),
      onWait: (ms, kind) => announced.push([kind, ms]),
      random: () => 0.5,
    };
    const replies = [json({}, 503, { 'retry-after': '2' }), json({}, 429), json({}, 200)];
    const fetch: Fetch = async () => replies.shift()!;
    await send({ fetch, origin, retry }, { method: 'GET', path: '/x' });
    expect(waits).toEqual([2250, 500]);
    const busy: Fetch = async () => json({}, 503, { 'retry-after': '11' });
    await expect(send({ fetch: busy, origin, retry }, { method: 'GET', path: '/x' })).rejects.toMatchObject({
      kind: 'unavailable',
      retryAfter: 11,
    });
    expect(waits).toHaveLength(2);
    expect(announced).toEqual([
      ['unavailable', 2250],
      ['too-many-requests', 500],
    ]);
  });

  it('sends once where no retry is wanted', async () => {
    let calls = 0;
    const fetch: Fetch = async () => {
      calls += 1;
      return json({}, 429);
    };
    await expect(send({ fetch, origin }, { method: 'GET', path: '/x' })).rejects.toMatchObject({
      kind: 'too-many-requests',
    });
    expect(calls).toBe(1);
  });

  it('a wait ends with the signal of the call', async () => {
    const leaving = new AbortController();
    let calls = 0;
    const fetch: Fetch = async () => {
      calls += 1;
      return json({}, 429, { 'retry-after': '9' });
    };
    const request = { method: 'GET', path: '/x', signal: leaving.signal };
    const outcome = send({ fetch, origin, retry: {} }, request);
    setImmediate(() => leaving.abort(new Error('left')));
    await expect(outcome).rejects.toThrow('left');
    expect(calls).toBe(1);
  });

  it('turns a body that never ends into unreachable', async () => {
    const fetch: Fetch = async (_, init) =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            init.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
          },
        }),
      );
    await expect(send({ fetch, origin, timeoutMs: 5 }, { method: 'GET', path: '/x' })).rejects.toMatchObject({
      kind: 'unreachable',
    });
  });
});

describe('walk', () => {
  /** A sorted list that changes by the next step after each page read. */
  function changing(rows: number[], steps: readonly ((rows: number[]) => void)[]) {
    const offsets: number[] = [];
    const fetchPage = async ({ offset = 0, limit = 10 }): Promise<Page<number>> => {
      offsets.push(offset);
      const page = { items: rows.slice(offset, offset + limit), total: rows.length, limit, offset };
      steps[offsets.length - 1]?.(rows);
      return page;
    };
    return { fetchPage, offsets };
  }
  const same = (row: number) => row;
  const collect = async (fetchPage: (query: ListQuery) => Promise<Page<number>>, limit?: number) => {
    const found: number[] = [];
    for await (const row of fetchAllPages(fetchPage, limit ? { limit } : {}, same)) found.push(row);
    return found;
  };

  it.each([
    [0, [0]],
    [1, [0]],
    [200, [0]],
    [201, [0, 199]],
    [450, [0, 199, 398]],
  ])('reads %i items by 200', async (count, expected) => {
    const rows = Array.from({ length: count }, (_, id) => id);
    const { fetchPage, offsets } = changing([...rows], []);
    expect(await collect(fetchPage)).toEqual(rows);
    expect(offsets).toEqual(expected);
  });

  it('reads again where the items before went away', async () => {
    const rows = Array.from({ length: 9 }, (_, id) => id);
    const { fetchPage, offsets } = changing(rows, [(now) => now.splice(0, 2)]);
    expect(await collect(fetchPage, 3)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(offsets).toEqual([0, 2, 0, 2, 4]);
  });

  it('gives what is there all the time exactly once, whatever others add and take away', {
    timeout: 60_000,
  }, async () => {
    const change = fc.record({ add: fc.boolean(), key: fc.integer({ min: 0, max: 999 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { maxLength: 40 }),
        fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 25 }),
        fc.integer({ min: 2, max: 7 }),
        async (start, script, limit) => {
          const rows = start.sort((a, b) => a - b);
          const ever = new Set(rows);
          const always = new Set(rows);
          const steps = script.map((changes) => (now: number[]) => {
            for (const { add, key } of changes) {
              const at = now.indexOf(key);
              if (add && at < 0) {
                now.push(key);
                now.sort((a, b) => a - b);
                ever.add(key);
              }
              if (!add && at >= 0) {
                now.splice(at, 1);
                always.delete(key);
              }
            }
          });
          const { fetchPage } = changing(rows, steps);
          const found = await collect(fetchPage, limit);
          expect(new Set(found).size).toBe(found.length);
          for (const row of found) expect(ever.has(row)).toBe(true);
          for (const row of always) expect(found).toContain(row);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['the same page for ever', async ({ offset = 0 }) => ({ items: [1, 2], total: 1e9, limit: 2, offset })],
    [
      'pages that never join',
      async ({ offset = 0 }) => ({ items: [Math.random(), offset], total: 1e9, limit: 2, offset }),
    ],
  ] as [string, (query: ListQuery) => Promise<Page<number>>][])(
    'gives up on %s',
    async (_name, fetchPage) => {
      let calls = 0;
      const walked = collect((query) => {
        calls += 1;
        return fetchPage(query);
      }, 2);
      await expect(walked).rejects.toThrow('the list changes faster than it can be read');
      expect(calls).toBeLessThan(200);
    },
  );
});

describe('reaction', () => {
  const ip = 'Your IP address is not permitted: 192.0.2.1';
  const table: [string, unknown, Parameters<typeof reactionToError>[1], unknown][] = [
    [
      '403',
      new Problem('forbidden', { type: 'a b', detail: 'secret' }),
      {},
      { kind: 'go', to: '/403?error-type=a+b' },
    ],
    [
      '403 kept',
      new Problem('forbidden', { detail: 'no' }),
      { redirect: false },
      { kind: 'toast', text: 'Forbidden: no' },
    ],
    [
      'IP',
      new Problem('forbidden', { type: 't', detail: ip }),
      {},
      { kind: 'go', to: `/403?${new URLSearchParams({ 'error-type': 't', 'error-detail': ip })}` },
    ],
    ['404', new Problem('not-found'), {}, { kind: 'go', to: '/404' }],
    ['404 kept', new Problem('not-found'), { redirect: false, alert: false }, { kind: 'none' }],
    ['401', new Problem('sign-in-required'), {}, { kind: 'sign-in' }],
    [
      '400',
      new Problem('invalid', {
        invalidParams: [
          { name: 'a', reason: 'x' },
          { name: 'a', reason: 'y' },
        ],
      }),
      {},
      { kind: 'fields', fields: new Map([['a', ['x', 'y']]]) },
    ],
    ['400 bare', new Problem('invalid'), {}, { kind: 'toast', text: 'error: Invalid request' }],
    [
      'conflict',
      new Problem('conflict', { detail: 'taken' }),
      {},
      { kind: 'toast', text: 'Conflict: taken' },
    ],
    ['no alert', new Problem('internal'), { alert: false }, { kind: 'none' }],
    ['cancelled', new DOMException('left', 'AbortError'), {}, { kind: 'none' }],
    ['error', new Error('broken'), {}, { kind: 'toast', text: 'broken' }],
  ];
  it.each(table)('%s', (_, error, options, expected) =>
    expect(reactionToError(error, options)).toEqual(expected),
  );
});
