import { Slots } from '@yagura/core/live/slots';
import { expect, test } from 'vitest';
import { forEachParallel, PacketRate, PauseGate, type Timing } from './pace.ts';

/** Time that only sleeping moves. */
function manualTiming(): Timing & { elapsed(): number } {
  let time = 0;
  return {
    now: () => time,
    elapsed: () => time,
    async sleep(milliseconds, signal) {
      signal.throwIfAborted();
      time += milliseconds;
    },
  };
}
const never = new AbortController().signal;

test.each([1, 100, 5000, 100_000])('%i packets per second are not exceeded', async (perSecond) => {
  const timing = manualTiming();
  const rate = new PacketRate(perSecond, timing);
  for (let index = 0; index < 1001; index++) await rate.take(never);
  const ideal = 1_000_000 / perSecond;
  expect(timing.elapsed()).toBeGreaterThanOrEqual(ideal - 6);
  expect(timing.elapsed()).toBeLessThanOrEqual(ideal + 6);
});

test('packets of a program keep the others back', async () => {
  const timing = manualTiming();
  const rate = new PacketRate(100, timing);
  await rate.take(never, 500);
  expect(timing.elapsed()).toBe(0);
  await rate.take(never);
  expect(timing.elapsed()).toBe(5000);
});

test('time without packets does not add up to a burst', async () => {
  const timing = manualTiming();
  const rate = new PacketRate(10, timing);
  await timing.sleep(60_000, never);
  for (let index = 0; index < 11; index++) await rate.take(never);
  expect(timing.elapsed()).toBeGreaterThanOrEqual(61_000 - 6);
});

test('a paused gate holds back until it is resumed or aborted', async () => {
  const gate = new PauseGate();
  await gate.pass(never);
  gate.pause();
  gate.pause();
  let passed = false;
  const passing = gate.pass(never).then(() => {
    passed = true;
  });
  const controller = new AbortController();
  const aborted = gate.pass(controller.signal);
  controller.abort(new Error('stop'));
  await expect(aborted).rejects.toThrow('stop');
  expect(passed).toBe(false);
  gate.resume();
  await passing;
  expect(gate.isPaused).toBe(false);
});

test('slots run a number of works at the same time and survive their errors', async () => {
  const slots = new Slots(2);
  let running = 0;
  let max = 0;
  const work = async (fails: boolean) => {
    max = Math.max(max, ++running);
    await Promise.resolve();
    running--;
    if (fails) throw new Error('failed');
  };
  const results = await Promise.allSettled(
    [true, false, true, false, true].map((fails) => slots.run(() => work(fails))),
  );
  expect(max).toBe(2);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3);
});

test('the first error ends a parallel run after the running works', async () => {
  const started: number[] = [];
  const ended: number[] = [];
  const run = forEachParallel([0, 1, 2, 3, 4], 2, async (item) => {
    started.push(item);
    await Promise.resolve();
    ended.push(item);
    if (item === 1) throw new Error('one');
  });
  await expect(run).rejects.toThrow('one');
  expect(started).toEqual(ended);
  expect(started).not.toContain(4);
});
