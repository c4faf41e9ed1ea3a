import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

function queueOf(...items: string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.push(item[0]!, item);
  return queue;
}
function drain(queue: FairQueue<string>): string[] {
  const order: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) order.push(item);
  return order;
}

test('spaces take turns, each with its oldest item first', () => {
  const queue = queueOf('a1', 'a2', 'a3', 'b1', 'c1', 'c2');
  expect(queue.size).toBe(6);
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  expect(queue.size).toBe(0);
});

test('a space that comes anew waits for one item of each other', () => {
  const queue = queueOf('a1', 'a2', 'a3', 'b1', 'b2');
  expect(queue.shift()).toBe('a1');
  queue.push('c', 'c1');
  expect(drain(queue)).toEqual(['b1', 'a2', 'c1', 'b2', 'a3']);
});

test('an item that is removed takes no turn, and removing it again changes nothing', () => {
  const queue = queueOf('a1', 'b1', 'a2');
  queue.remove('b', 'b1');
  queue.remove('b', 'b1');
  queue.remove('a', 'a1');
  expect(queue.size).toBe(1);
  expect(drain(queue)).toEqual(['a2']);
});
