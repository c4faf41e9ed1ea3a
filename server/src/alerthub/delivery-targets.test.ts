import { expect, test } from 'vitest';
import { DeliveryTargets, reach } from './delivery-targets.ts';

function start() {
  const clock = { now: 1_000_000 };
  return { clock, targets: new DeliveryTargets(() => clock.now) };
}

test('sixteen attempts are under way to one target, and others have their own places', () => {
  const { targets } = start();
  for (let count = 0; count < 16; count++) {
    expect(targets.hasPlace('a')).toBe(true);
    targets.begin('a');
  }
  expect(targets.hasPlace('a')).toBe(false);
  expect(targets.hasPlace('b')).toBe(true);
  targets.end('a', 1_000_000);
  expect(targets.hasPlace('a')).toBe(true);
});

test('as many wait for a target as it takes in a quarter of a second, and sixteen at least', () => {
  const { clock, targets } = start();
  const took = (milliseconds: number) => {
    for (let count = 0; count < 30; count++) {
      const begun = clock.now;
      targets.begin('a');
      clock.now += milliseconds;
      targets.end('a', begun);
    }
  };
  targets.begin('a');
  took(10);
  expect(targets.mostWaiting('a')).toBe(400);
  took(50);
  expect(targets.mostWaiting('a')).toBeGreaterThanOrEqual(80);
  expect(targets.mostWaiting('a')).toBeLessThan(90);
  took(2000);
  expect(targets.mostWaiting('a')).toBe(16);
});

test('a new target is trusted until it has been silent for that time, and a fast one that falls silent as well', () => {
  const { clock, targets } = start();
  targets.begin('new');
  expect(targets.mostWaiting('new')).toBeGreaterThan(1000);
  clock.now += reach;
  expect(targets.mostWaiting('new')).toBe(16);
  expect(targets.isSlow('new')).toBe(true);
  targets.begin('fast');
  targets.begin('fast');
  clock.now += 5;
  targets.end('fast', clock.now - 5);
  expect(targets.mostWaiting('fast')).toBe(800);
  expect(targets.isSlow('fast')).toBe(false);
  clock.now += reach;
  expect(targets.mostWaiting('fast')).toBe(16);
});

test('what is known of a target goes with its last attempt', () => {
  const { clock, targets } = start();
  targets.begin('a');
  clock.now += 5000;
  targets.end('a', clock.now - 5000);
  expect(targets.mostWaiting('a')).toBe(16);
  targets.begin('a');
  expect(targets.mostWaiting('a')).toBeGreaterThan(1000);
});
