import { expect, it } from 'vitest';
import { createCoalescedRunner } from '../../src/jobs/coalesced-runner.ts';

/** Work that completes when the test says so. */
function heldWork() {
  const held: (() => void)[] = [];
  let max = 0;
  let now = 0;
  let runs = 0;
  const work = async () => {
    runs++;
    max = Math.max(max, ++now);
    await new Promise<void>((resolve) => held.push(resolve));
    now--;
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    work,
    end: async () => {
      held.shift()?.();
      await settle();
    },
    seen: () => ({ runs, most: max }),
  };
}

it('a thousand calls while it runs are one further run', async () => {
  const { work, end, seen } = heldWork();
  const line = createCoalescedRunner(work);
  const first = line.run();
  const others = Array.from({ length: 1000 }, () => line.run());
  await end();
  await first;
  expect(seen()).toEqual({ runs: 2, most: 1 });
  await end();
  await Promise.all([...others, line.idle()]);
  expect(seen()).toEqual({ runs: 2, most: 1 });
});

it('a call is answered by a run that began after it', async () => {
  const { work, end } = heldWork();
  const line = createCoalescedRunner(work);
  const ended: string[] = [];
  void line.run().then(() => ended.push('first'));
  void line.run().then(() => ended.push('second'));
  await end();
  expect(ended).toEqual(['first']);
  await end();
  expect(ended).toEqual(['first', 'second']);
});

it('runs again after it was idle', async () => {
  const { work, end, seen } = heldWork();
  const line = createCoalescedRunner(work);
  for (let turn = 0; turn < 3; turn++) {
    const run = line.run();
    await end();
    await run;
    await line.idle();
  }
  expect(seen().runs).toBe(3);
});

it('a call during the further run is one more, and idle waits for all', async () => {
  const { work, end, seen } = heldWork();
  const line = createCoalescedRunner(work);
  await line.idle();
  void line.run();
  void line.run();
  await end();
  void line.run();
  let isIdle = false;
  const idle = line.idle().then(() => {
    isIdle = true;
  });
  await end();
  expect(seen()).toEqual({ runs: 3, most: 1 });
  expect(isIdle).toBe(false);
  await end();
  await idle;
  expect(seen()).toEqual({ runs: 3, most: 1 });
});
