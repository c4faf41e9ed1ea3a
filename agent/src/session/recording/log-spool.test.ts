// Chunks of a log part on the real disk, whose flushes a test holds or lets fail.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
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
/** What the flush of each next chunk waits for. */
let flushes: Promise<void>[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'yagura-spool-'));
  flushes = [];
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
  flush.mockImplementation(() => flushes.shift() ?? Promise.resolve());
  onTestFinished(() => flush.mockRestore());
  return { spool, files, complete };
}

const chunks = (count: number) => new Uint8Array(count * streamLimits.logChunk).fill(7);

/** A flush that goes on until the test ends it. */
function heldFlush() {
  let end = () => {};
  let fail: (error: Error) => void = () => {};
  const flushed = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  // It may fail before it is waited for.
  flushed.catch(() => undefined);
  flushes.push(flushed);
  return { end, fail };
}

test('chunks are written while one is flushed, and reported in their order', async () => {
  const { spool, files, complete } = await createPart();
  const first = heldFlush();
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
  const first = heldFlush();
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
  const first = heldFlush();
  const second = heldFlush();
  await files.append(chunks(3));
  second.fail(new Error('EIO'));
  first.end();
  await expect(files.end()).rejects.toThrow('EIO');
  await files.append(new Uint8Array(5));
  await expect(files.end()).rejects.toThrow('EIO');
  expect(complete).toEqual([0]);
});
