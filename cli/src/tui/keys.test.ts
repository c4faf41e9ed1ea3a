import { describe, expect, test } from 'vitest';
import { actOf, keysOf, keyTable } from './keys.ts';

describe('keysOf', () => {
  test.each([
    ['j', {}, ['j']],
    ['', { downArrow: true }, ['down']],
    ['\r', { return: true }, ['enter']],
    ['', { escape: true, meta: true }, ['escape']],
    ['/crit', {}, ['/', 'c', 'r', 'i', 't']],
    ['/日本\r', {}, ['/', '日', '本', 'enter']],
    ['a b', {}, ['a', 'space', 'b']],
    ['jj\x1b', {}, ['j', 'j', 'escape']],
    ['c', { ctrl: true }, ['ctrl-c']],
    ['a\x03', {}, ['a', 'ctrl-c']],
    ['\x01\x02', {}, []],
    ['', {}, []],
  ])('%j with %j', (input, press, keys) => expect(keysOf(input, press)).toEqual(keys));
});

test('no key does two things', () => {
  const keys = keyTable.flatMap((entry) => entry.keys);
  expect(new Set(keys).size).toBe(keys.length);
  expect(actOf('nothing')).toBeUndefined();
});
