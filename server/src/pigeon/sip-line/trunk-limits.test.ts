import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../common/clock.ts';
import { TrunkLimits } from './trunk-limits.ts';

const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

describe('limits of a trunk', () => {
  const limitsOf = (callsPerSecond: number, callsAtOnce: number) => {
    const clock = new ManualClock();
    const limits = new TrunkLimits(clock, [
      { name: 'a', callsPerSecond, callsAtOnce },
      { name: 'b', callsPerSecond: 1, callsAtOnce: 1 },
    ]);
    return { clock, limits };
  };

  test('count the calls at once and those of the last second', () => {
    const { clock, limits } = limitsOf(2, 3);
    const ends = [limits.take('a'), limits.take('a')];
    expect(limits.take('a')).toBeNull();
    clock.advance(1000);
    ends.push(limits.take('a'));
    expect(ends.every(Boolean)).toBe(true);
    clock.advance(1000);
    expect(limits.take('a')).toBeNull();
    ends[0]!();
    ends[0]!();
    expect(limits.take('a')).not.toBeNull();
    expect(limits.take('a')).toBeNull();
    expect(limits.take('unknown')).toBeNull();
  });

  test('let waiting calls in, oldest first, one for each room', async () => {
    const { clock, limits } = limitsOf(1, 100);
    const started: string[] = [];
    const call = async (name: string) => {
      while (await limits.waitForRoom(['a'], 10_000))
        if (limits.take('a')) {
          started.push(`${name} ${clock.now() % 60_000}`);
          return;
        }
    };
    for (const name of ['first', 'second', 'third']) void call(name);
    for (let at = 0; at < 30; at++) {
      await settle();
      clock.advance(100);
    }
    expect(started).toEqual(['first 0', 'second 1000', 'third 2000']);
  });

  test('give up a call that waited too long', async () => {
    const { clock, limits } = limitsOf(5, 1);
    limits.take('a');
    const waited = limits.waitForRoom(['a'], 20_000);
    clock.advance(20_000);
    expect(await waited).toBe(false);
  });

  test('give a call the other trunk at once', async () => {
    const { limits } = limitsOf(5, 1);
    limits.take('a');
    expect(await limits.waitForRoom(['a', 'b'], 20_000)).toBe(true);
  });

  test('release everyone at the end', async () => {
    const { limits } = limitsOf(5, 1);
    limits.take('a');
    const waited = limits.waitForRoom(['a'], 20_000);
    limits.close();
    expect(await waited).toBe(false);
  });
});
