import { describe, expect, it } from 'vitest';
import { FlowError } from '../errors/flow-error.ts';
import { parsePath, readPath } from './data-path.ts';

describe('parsePath', () => {
  it.each<[string, string[]]>([
    ['message', ['message']],
    ['message.content.data.alerts.0.labels', ['message', 'content', 'data', 'alerts', '0', 'labels']],
    [' a.b ', ['a', 'b']],
    ['a["b.c"].d', ['a', 'b.c', 'd']],
    ['["a.b"]', ['a.b']],
    ['a["x]\\"y"][0]', ['a', 'x]"y', '0']],
    ['headers.x-forwarded-for', ['headers', 'x-forwarded-for']],
    ['a.日本', ['a', '日本']],
  ])('%s', (text, keys) => {
    expect(parsePath(text).keys).toEqual(keys);
  });

  it.each([
    '',
    ' ',
    '.',
    '.a',
    'a.',
    'a..b',
    'a[',
    'a[]',
    'a[b]',
    'a["b]',
    'a["b"',
    'a["b"]c',
    'a]["',
    'a['.repeat(50),
    'a'.repeat(513),
    Array(65).fill('a').join('.'),
  ])('refuses %s', (text) => {
    expect(() => parsePath(text)).toThrow(FlowError);
  });
});

describe('readPath', () => {
  const root = {
    a: [{ 'b.c': 1 }, null],
    text: 'abc',
    zero: 0,
    none: null,
    own: JSON.parse('{"__proto__": {"x": 7}, "constructor": 8}') as unknown,
  };
  it.each<[string, unknown]>([
    ['a.0["b.c"]', 1],
    ['a[0]["b.c"]', 1],
    ['a.length', 2],
    ['a.1', null],
    ['a.1.b', undefined],
    ['a.2', undefined],
    ['a.-1', undefined],
    ['text.length', undefined],
    ['text.0', undefined],
    ['zero', 0],
    ['none.x', undefined],
    ['__proto__', undefined],
    ['constructor.name', undefined],
    ['a.constructor', undefined],
    ['a.map', undefined],
    ['own.__proto__.x', 7],
    ['own.constructor', 8],
    ['own.toString', undefined],
  ])('%s', (text, value) => {
    expect(readPath(root, parsePath(text))).toBe(value);
  });
});
