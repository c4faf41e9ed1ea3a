import { expect, test } from 'vitest';
import { FrameSender } from './frame-sender.ts';

test('control goes first, channels take turns, and log uploads wait for all others', () => {
  const sent: string[] = [];
  const done: (() => void)[] = [];
  const sender = new FrameSender({
    send(data, callback) {
      sent.push(new TextDecoder().decode(data).slice(0, 2));
      done.push(callback);
    },
  });
  const frame = (name: string) => new TextEncoder().encode(name.padEnd(65_536, '.'));
  // The socket is busy with the first; the others wait for their turn.
  sender.push('bulk', 9, frame('l1'));
  sender.push('bulk', 9, frame('l2'));
  for (const name of ['a1', 'a2', 'a3']) sender.push('interactive', 1, frame(name));
  sender.push('interactive', 2, frame('b1'));
  sender.push('interactive', 3, frame('c1'));
  sender.push('control', 0, frame('k1'));
  sender.drop(3);
  while (done.length > 0) done.shift()!();
  expect(sent).toEqual(['l1', 'k1', 'a1', 'b1', 'a2', 'a3', 'l2']);
});

test('control messages that wait are limited in bytes, and what is dropped does not count', () => {
  let exceeded = 0;
  const limit = { maxBytes: 100, onExceeded: () => void exceeded++ };
  const sender = new FrameSender({ send: () => undefined }, limit);
  // The socket is busy.
  sender.push('interactive', 1, new Uint8Array(64 * 1024));
  sender.push('control', 2, new Uint8Array(60));
  sender.drop(2);
  sender.push('control', 0, new Uint8Array(100));
  expect(exceeded).toBe(0);
  sender.push('control', 0, new Uint8Array(1));
  expect(exceeded).toBe(1);
});
