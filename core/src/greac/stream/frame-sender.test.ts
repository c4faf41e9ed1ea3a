import { expect, test } from 'vitest';
import { FrameSender } from './frame-sender.ts';

/** A socket whose sends are done when the test says so. */
function openSocket() {
  const sent: string[] = [];
  const done: (() => void)[] = [];
  const sender = new FrameSender({
    send(data, callback) {
      sent.push(new TextDecoder().decode(data).split('.')[0]!);
      done.push(callback);
    },
    cork: () => void sent.push('['),
    uncork: () => void sent.push(']'),
  });
  /** Lets the network take one frame after the other until nothing is left. */
  const drain = async () => {
    await Promise.resolve();
    while (done.length > 0) {
      done.shift()!();
      await Promise.resolve();
    }
    return sent.filter((name) => name.length > 1);
  };
  return { sender, sent, drain };
}

const frame = (name: string, length = 65_536) => new TextEncoder().encode(name.padEnd(length, '.'));

test('control goes first, channels take turns, and log uploads wait for all others', async () => {
  const { sender, drain } = openSocket();
  sender.push('bulk', 9, frame('l1'));
  await Promise.resolve();
  // The socket is busy with the first; the others wait for their turn.
  sender.push('bulk', 9, frame('l2'));
  for (const name of ['a1', 'a2', 'a3']) sender.push('interactive', 1, frame(name));
  sender.push('interactive', 2, frame('b1'));
  sender.push('interactive', 3, frame('c1'));
  sender.push('control', 0, frame('k1'));
  sender.drop(3);
  expect(await drain()).toEqual(['l1', 'k1', 'a1', 'b1', 'a2', 'a3', 'l2']);
});

test('what is pushed in one turn goes to the network in one piece', async () => {
  const { sender, sent } = openSocket();
  sender.push('interactive', 1, frame('a1', 100));
  sender.push('interactive', 2, frame('b1', 100));
  expect(sent).toEqual([]);
  await Promise.resolve();
  expect(sent).toEqual(['[', 'a1', 'b1', ']']);
});

test('a small frame overtakes the large ones of other channels, but none of its own', async () => {
  const { sender, drain } = openSocket();
  for (const channel of [1, 2, 3]) sender.push('interactive', channel, frame(`f${channel}`));
  await Promise.resolve();
  // Something shown after a piece of a file, and a key elsewhere.
  sender.push('interactive', 1, frame('g1'));
  sender.push('interactive', 1, frame('shown', 50));
  sender.push('interactive', 4, frame('key', 50));
  expect(await drain()).toEqual(['f1', 'key', 'f2', 'f3', 'g1', 'shown']);
});

test('small frames do not keep a large one waiting for long', async () => {
  const { sender, drain } = openSocket();
  sender.push('interactive', 1, frame('f1'));
  await Promise.resolve();
  sender.push('interactive', 1, frame('f2'));
  for (let count = 0; count < 40; count++)
    sender.push('interactive', 2 + (count % 2), frame(`s${count}`, 50));
  const sent = await drain();
  expect(sent.indexOf('f2')).toBe(17);
  expect(sent.filter((name) => name.startsWith('s'))).toEqual(
    Array.from({ length: 40 }, (_, at) => `s${at}`),
  );
});

test('control messages that wait are limited in bytes, and what is dropped does not count', async () => {
  let exceeded = 0;
  const limit = { maxBytes: 100, onExceeded: () => void exceeded++ };
  const sender = new FrameSender({ send: () => undefined }, limit);
  // The socket is busy.
  sender.push('interactive', 1, new Uint8Array(64 * 1024));
  await Promise.resolve();
  sender.push('control', 2, new Uint8Array(60));
  sender.drop(2);
  sender.push('control', 0, new Uint8Array(100));
  expect(exceeded).toBe(0);
  sender.push('control', 0, new Uint8Array(1));
  expect(exceeded).toBe(1);
});
