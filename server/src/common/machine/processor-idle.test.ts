import { expect, test } from 'vitest';
import { ProcessorIdle } from './processor-idle.ts';

const processor = (busy: number, idle: number) => ({
  times: { user: busy, nice: 0, sys: 0, idle, irq: 0 },
});

test('counts idle processors over at least half a second', () => {
  let now = 0;
  let processors = [processor(1000, 1000), processor(0, 2000)];
  const idle = new ProcessorIdle(
    () => now,
    () => processors,
  );
  expect(idle.idleProcessors()).toBe(0);
  now = 499;
  processors = [processor(1499, 1000), processor(0, 2499)];
  expect(idle.idleProcessors()).toBe(0);
  now = 1000;
  processors = [processor(2000, 1000), processor(500, 2500)];
  expect(idle.idleProcessors()).toBe(0.5);
  now = 1200;
  processors = [processor(2200, 1000), processor(700, 2500)];
  expect(idle.idleProcessors()).toBe(0.5);
  now = 1500;
  expect(idle.idleProcessors()).toBe(0);
});

test('nothing is idle if the system has no figures', () => {
  let now = 0;
  const idle = new ProcessorIdle(
    () => now,
    () => [],
  );
  now = 1000;
  expect(idle.idleProcessors()).toBe(0);
});
