import { afterAll, expect, test } from 'vitest';
import { createThreadPool } from '../hosting/create-thread-pool.ts';
import { readReceivedMessage } from './read-message.ts';

const pool = createThreadPool();
afterAll(() => pool.close());
let jobs = 0;
const threads: Parameters<typeof readReceivedMessage>[2]['threads'] = {
  run(...job) {
    jobs++;
    return pool.run(...job);
  },
};
const read = (message: object) => {
  jobs = 0;
  return readReceivedMessage(Buffer.from(JSON.stringify(message)), 2, { threads, space: 'a' });
};

const lists = (count: number) => Array.from({ length: count }, () => []);

test('a small message is read at once', async () => {
  expect(await read({ type: 'hello', version: '1' })).toMatchObject({ message: { version: '1' } });
  expect(jobs).toBe(0);
});

test.each([
  [{ type: 'hello', version: 'ü', ignored: lists(20_000) }, { message: { type: 'hello', version: 'ü' } }],
  [{ type: 'weather', lists: lists(20_000) }, { unknownType: 'weather' }],
  [{ type: 'hello', version: lists(20_000) }, { invalid: 'version' }],
])('a large one is read in a thread, with the same result: %#', async (message, result) => {
  expect(await read(message)).toMatchObject(result);
  expect(jobs).toBe(1);
});
