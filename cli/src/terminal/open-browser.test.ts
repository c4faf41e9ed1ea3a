import { EventEmitter } from 'node:events';
import type open from 'open';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openBrowser } from './open-browser.ts';

const launch = vi.fn<typeof open>();

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Starts a launcher that emits the event; without one it goes on running. */
function start(event?: 'error' | 'exit', value?: unknown) {
  const child = new EventEmitter();
  launch.mockResolvedValue(child as Awaited<ReturnType<typeof open>>);
  const opened = openBrowser('https://yagura.example/', launch);
  return vi.advanceTimersByTimeAsync(event ? 0 : 1000).then(() => {
    if (event) child.emit(event, value);
    return opened;
  });
}

it('is told by the exit of the launcher', async () => {
  expect(await start('exit', 0)).toBe(true);
  expect(await start('exit', 3)).toBe(false);
  expect(await start('error', new Error('not found'))).toBe(false);
  expect(launch).toHaveBeenCalledWith('https://yagura.example/');
});

it('has succeeded when the launcher still runs after a second', async () => {
  expect(await start()).toBe(true);
});

it('has failed when nothing can be launched', async () => {
  launch.mockRejectedValue(new Error('no launcher'));
  expect(await openBrowser('https://yagura.example/', launch)).toBe(false);
});
