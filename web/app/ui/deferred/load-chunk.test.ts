import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { chunkTimeoutMs, loadChunk } from './load-chunk.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('gives the module and leaves no timer behind', async () => {
  await expect(loadChunk('palette', async () => 5)).resolves.toBe(5);
  expect(vi.getTimerCount()).toBe(0);
});

it('passes a failure on', async () => {
  await expect(loadChunk('palette', () => Promise.reject(new Error('offline')))).rejects.toThrow('offline');
  expect(vi.getTimerCount()).toBe(0);
});

it('gives up after 120 seconds, naming what it waited for', async () => {
  const loading = loadChunk('palette', () => new Promise<never>(() => {}));
  const told = expect(loading).rejects.toMatchObject({
    name: 'ChunkLoadError',
    message: 'palette: not loaded within 120 s',
  });
  await vi.advanceTimersByTimeAsync(chunkTimeoutMs);
  await told;
});
