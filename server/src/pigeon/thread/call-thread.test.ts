// A real worker that answers, fails, ends and hangs as it is told.
import { expect, test } from 'vitest';
import { ManualClock } from '../../common/clock.ts';
import type { LogLine } from '../../common/log.ts';
import { CallThread } from './call-thread.ts';

type Request = { kind: 'echo' | 'hold'; number: number } | { kind: 'say' | 'fail' | 'stop' };
type Message =
  | { kind: 'echoed'; number: number; data: string }
  | { kind: 'said' }
  | { kind: 'log'; line: LogLine };

const worker = `
import { parentPort, workerData } from 'node:worker_threads';
parentPort.on('message', ({ kind, number }) => {
  if (kind === 'echo') parentPort.postMessage({ kind: 'echoed', number, data: workerData });
  if (kind === 'say') parentPort.postMessage({ kind: 'said' });
  if (kind === 'fail') throw new Error('worker failed');
  if (kind === 'stop') parentPort.close();
});
parentPort.postMessage({ kind: 'log', line: { level: 'info', message: 'started' } });
`;

function create() {
  const clock = new ManualClock();
  const seen: string[] = [];
  let wake = () => {};
  const note = (text: string) => {
    seen.push(text);
    wake();
  };
  const thread = new CallThread<Request, Message>({
    ...{ clock, data: 'data', failure: 'the worker failed', closeTimeoutMs: 5000 },
    file: new URL(`data:text/javascript,${encodeURIComponent(worker)}`),
    restartDelaysMs: [1000, 5000],
    log: ({ level, message }) => note(`${level} ${message}`),
    onMessage: ({ kind }) => note(kind),
    onLost: () => note('lost'),
  });
  const until = async (text: string, count = 1) => {
    while (seen.filter((one) => one === text).length < count)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  return { clock, thread, seen, until };
}

test('answers go to their questions, lines to the log, the rest to the listener', async () => {
  const { thread, seen, until } = create();
  expect(await thread.ask((number) => ({ kind: 'echo', number }))).toBeNull();
  expect(thread.post({ kind: 'say' })).toBe(false);
  thread.start();
  const [first, second] = await Promise.all(
    [1, 2].map(() => thread.ask((number) => ({ kind: 'echo', number }))),
  );
  expect(first).toMatchObject({ kind: 'echoed', data: 'data' });
  expect(second!.number).not.toBe(first!.number);
  expect(thread.post({ kind: 'say' })).toBe(true);
  await until('said');
  await Promise.all([thread.close({ kind: 'stop' }), thread.close({ kind: 'stop' })]);
  expect(seen).toEqual(['info started', 'said']);
});

test('a question without an answer is given up after its time, or when the worker ends', async () => {
  const { clock, thread, until } = create();
  thread.start();
  await until('info started');
  const timed = thread.ask((number) => ({ kind: 'hold', number }), 2000);
  const held = thread.ask((number) => ({ kind: 'hold', number }));
  clock.advance(2000);
  expect(await timed).toBeNull();
  thread.post({ kind: 'fail' });
  expect(await held).toBeNull();
  await thread.close({ kind: 'stop' });
});

test('a worker that ends is started again, later each time until it has recovered', async () => {
  const { clock, thread, seen, until } = create();
  thread.start();
  const fail = async (count: number) => {
    thread.post({ kind: 'fail' });
    await until('lost', count);
    expect(thread.failure).toBe('worker failed');
    expect(thread.lostAt).toBe(clock.now());
  };
  const startsAfter = async (milliseconds: number, count: number) => {
    clock.advance(milliseconds - 1);
    expect(thread.post({ kind: 'say' })).toBe(false);
    clock.advance(1);
    await until('info started', count);
  };
  await until('info started');
  await fail(1);
  await startsAfter(1000, 2);
  await fail(2);
  await startsAfter(5000, 3);
  await fail(3);
  await startsAfter(5000, 4);
  thread.recovered();
  await fail(4);
  await startsAfter(1000, 5);
  expect(seen.filter((text) => text === 'error the worker failed')).toHaveLength(4);
  await thread.close({ kind: 'stop' });
  clock.advance(60_000);
  expect(thread.post({ kind: 'say' })).toBe(false);
});
