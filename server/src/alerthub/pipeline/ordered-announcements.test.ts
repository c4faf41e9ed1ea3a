import { expect, test } from 'vitest';
import { OrderedAnnouncements } from './ordered-announcements.ts';

test('a batch is announced after those before it that were deferred, each once', async () => {
  const order: string[] = [];
  const announcements = new OrderedAnnouncements();
  announcements.soon(() => order.push('first'));
  announcements.soon(() => order.push('second'));
  expect(order).toEqual([]);
  announcements.now(() => order.push('third'));
  expect(order).toEqual(['first', 'second', 'third']);
  announcements.soon(() => order.push('fourth'));
  await new Promise(setImmediate);
  expect(order).toEqual(['first', 'second', 'third', 'fourth']);
});
