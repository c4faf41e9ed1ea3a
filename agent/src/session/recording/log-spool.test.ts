// Chunks of a log part on the real disk, whose flushes a test holds or lets fail.
import { type FileHandle, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streamLimits } from '@yagura/core/greac/stream/frame';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { LogSpool, type PartMeta } from './log-spool.ts';

const meta: PartMeta = {
  ...{ sessionId: '018f0000-0000-7000-8000-000000000001', keyId: '018f0000-0000-7000-8000-000000000002' },
  ...{ kind: 'text', part: 1, startedAt: '2026-01-02T03:04:05.000Z' },
};

let folder: string;
/** What the flush of a chunk waits for. */
let flushes: Map<number, Promise<void>>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'yagura-spool-'));
  flushes = new Map();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

async function createPart() {
  const complete: number[] = [];
  const spool = new LogSpool(folder);
  const files = await spool.create(meta, (chunk) => complete.push(chunk));
  // Not earlier: a part begins with a small file, which is flushed as well.
  const file = await open(join(folder, 'any'), 'w');
  await file.close();
  const flush = vi.spyOn(Object.getPrototypeOf(file) as FileHandle, 'sync');
  flush.mockImplementation(async function (this: FileHandle) {
    await flushes.get(await chunkOf(this));
  });
  onTestFinished(() => flush.mockRestore());
  return { spool, files, complete };
}

/** Chunks are flushed in any order, so each is known by its file. */
async function chunkOf(file: FileHandle): Promise<number> {
  const { ino } = await file.stat();
  const part = join(folder, 'session-logs', meta.sessionId, `${meta.kind}-${meta.part}`);
  for (const name of await readdir(part))
    if ((await stat(join(part, name))).ino === ino) return parseInt(name, 10);
  throw new Error('no chunk of the part');
}

const chunks = (count: number) => new Uint8Array(count * streamLimits.logChunk).fill(7);

/** A flush that goes on until the test ends it. */
function heldFlush(chunk: number) {
  let end = () => {};
  let fail: (error: Error) => void = () => {};
  const flushed = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  // It may fail before it is waited for.
  flushed.catch(() => undefined);
  flushes.set(chunk, flushed);
  return { end, fail };
}

test('chunks are written while one is flushed, and reported in their order', async () => {
  const { spool, files, complete } = await createPart();
  const first = heldFlush(0);
  await files.append(chunks(3));
  expect(files.chunks).toBe(3);
  expect(complete).toEqual([]);
  first.end();
  await files.append(new Uint8Array(5));
  await files.end();
  expect(complete).toEqual([0, 1, 2, 3]);
  expect((await spool.readChunk(meta, 3)).length).toBe(5);
});

test('no more than eight chunks wait for the disk', async () => {
  const { files } = await createPart();
  const first = heldFlush(0);
  const appended = files.append(chunks(12));
  await vi.waitFor(() => expect(files.chunks).toBe(8));
  let isAppended = false;
  void appended.then(() => {
    isAppended = true;
  });
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(isAppended).toBe(false);
  first.end();
  await appended;
  expect(files.chunks).toBe(12);
  await files.end();
});

test('after a chunk that could not be flushed none is reported, and the part fails', async () => {
  const { files, complete } = await createPart();
  const first = heldFlush(0);
  const second = heldFlush(1);
  await files.append(chunks(3));
  second.fail(new Error('EIO'));
  first.end();
  await expect(files.end()).rejects.toThrow('EIO');
  await files.append(new Uint8Array(5));
  await expect(files.end()).rejects.toThrow('EIO');
  expect(complete).toEqual([0]);
});

const full = streamLimits.logChunk;

test.each([
  ['all are complete', { 0: full, 1: full, 2: 5 }, [0, 1, 2]],
  ['the first were stored already', { 7: full, 8: 1 }, [7, 8]],
  ['one is empty', { 0: full, 1: 0, 2: full }, [0]],
  ['one is not complete', { 0: full, 1: 9, 2: full, 3: full }, [0, 1]],
  ['one is missing', { 0: full, 2: full }, [0]],
  ['the first is empty', { 3: 0, 4: full }, []],
])(
  'of chunks of a killed process, those up to the end of what can be decrypted stay: %s',
  async (_name, sizes, left) => {
    const { spool, files } = await createPart();
    await files.end();
    const part = join(folder, 'session-logs', meta.sessionId, `${meta.kind}-${meta.part}`);
    for (const [chunk, size] of Object.entries(sizes))
      await writeFile(join(part, `${chunk.padStart(7, '0')}.age`), new Uint8Array(size));
    expect(await spool.load()).toEqual([{ meta, chunks: left, isClosed: true }]);
    const kept = (await readdir(part))
      .filter((name) => name.endsWith('.age'))
      .map((name) => parseInt(name, 10));
    expect(kept.sort()).toEqual(left);
  },
);

test('what this program did not write does not keep it from starting', async () => {
  const { spool, files } = await createPart();
  await files.append(new Uint8Array(1));
  await files.end();
  await writeFile(join(folder, 'session-logs', '.DS_Store'), '');
  expect(await spool.load()).toMatchObject([{ meta, chunks: [0] }]);
});
