import { describe, expect, test } from 'vitest';
import { assertValidChannel, checkNotification, createListeners } from './notification.ts';

describe('channel names', () => {
  test.each(['changes', 'job_wake', 'a', '_x1', 'a'.repeat(63)])('%s is one', (channel) => {
    expect(() => assertValidChannel(channel)).not.toThrow();
  });

  test.each(['', 'A', '1a', 'a-b', 'a b', 'a"b', 'ä', 'a'.repeat(64)])('"%s" is none', (channel) => {
    expect(() => assertValidChannel(channel)).toThrow(RangeError);
  });
});

test('a payload is limited in bytes of UTF-8, not in characters', () => {
  expect(() => checkNotification('a', 'x'.repeat(7_999))).not.toThrow();
  expect(() => checkNotification('a', 'x'.repeat(8_000))).toThrow('8000 bytes');
  expect(() => checkNotification('a', 'あ'.repeat(2_700))).toThrow('8100 bytes');
});

test('a listener that throws is reported and keeps nobody from hearing', () => {
  const reported: unknown[] = [];
  const heard: string[] = [];
  const listeners = createListeners((error) => reported.push(error));
  const failure = new Error('broken');
  listeners.add('a', {
    handler: () => {
      throw failure;
    },
    missed: () => heard.push('missed 1'),
  });
  const remove = listeners.add('a', {
    handler: (payload) => heard.push(payload),
    missed: () => heard.push('missed 2'),
  });
  listeners.emit('a', 'one');
  listeners.emit('b', 'other channel');
  listeners.emitMissed();
  expect(reported).toEqual([failure]);
  expect(heard).toEqual(['one', 'missed 1', 'missed 2']);
  expect(remove()).toBe(false);
  listeners.emit('a', 'two');
  expect(heard).not.toContain('two');
  expect(listeners.channels()).toEqual(['a']);
});
