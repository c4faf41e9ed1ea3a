// Jobs of one space do not keep those of another waiting, or out.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ThreadJobError, ThreadPool } from '../../src/common/thread-pool.ts';

/** Returns how many jobs have begun before it, in all threads. */
const source = 'export default ({ input }) => ({ output: Atomics.add(new Int32Array(input), 0, 1) });';
type Jobs = { begin(begun: SharedArrayBuffer): Promise<number> };

let folder: string;
let pool: ThreadPool<Jobs>;
let begun: SharedArrayBuffer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'yagura-threads-'));
  await writeFile(join(folder, 'jobs.mjs'), source);
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => {
  pool = new ThreadPool<Jobs>(pathToFileURL(join(folder, 'jobs.mjs')));
  begun = new SharedArrayBuffer(4);
});
afterEach(() => pool.close());

const run = (space: string) =>
  pool.run('begin', begun, { space, timeoutMs: 60_000 }).catch((error) => {
    if (error instanceof ThreadJobError) return error.reason;
    throw error;
  });

test('a space whose job comes last waits for the jobs that run and one of each other space', async () => {
  const busy = Array.from({ length: 40 }, () => run('busy'));
  const quiet = run('quiet');
  const begunBefore = await Promise.all([...busy, quiet]);
  expect(begunBefore.at(-1)).toBeLessThanOrEqual(availableParallelism());
  expect(new Set(begunBefore).size).toBe(41);
});

test('a space that queues too many jobs is refused, and others are not', async () => {
  const busy = Array.from({ length: 49 }, () => run('busy'));
  const quiet = run('quiet');
  expect(await busy.at(-1)).toBe('busy');
  expect(await quiet).toEqual(expect.any(Number));
  expect((await Promise.all(busy)).filter((reason) => reason === 'busy')).toHaveLength(1);
  // Its places are free again.
  expect(await run('busy')).toEqual(expect.any(Number));
});
