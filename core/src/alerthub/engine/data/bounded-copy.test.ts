import { describe, expect, test } from 'vitest';
import { parseExactJson } from '../../../http/exact-json.ts';
import { boundedCopy } from './bounded-copy.ts';

test('copies plain data as it is', () => {
  const data = { text: 'a', number: 1.5, yes: true, no: false, nothing: null, list: [1, null, { a: 'b' }] };
  expect(boundedCopy(data)).toEqual(data);
  expect(boundedCopy(undefined)).toBeUndefined();
});

test('a number that JavaScript cannot hold is copied as its text', () => {
  expect(boundedCopy({ id: 12345678901234567890n })).toEqual({ id: '12345678901234567890' });
  expect(boundedCopy(parseExactJson('[12345678901234567890123]'))).toEqual(['12345678901234567890123']);
});

test('leaves functions out, and what is not the own property of an object', () => {
  const inherited = Object.assign(Object.create({ hidden: 1 }), { own: 2, call: () => 3 });
  expect(boundedCopy(inherited)).toEqual({ own: 2 });
});

describe('bounds', () => {
  test('a text of 4,000 characters is whole, a longer one is cut', () => {
    expect(boundedCopy('x'.repeat(4_000))).toBe('x'.repeat(4_000));
    expect(boundedCopy('x'.repeat(4_001))).toBe(`${'x'.repeat(4_000)}…`);
  });

  test('the characters of all texts and keys together', () => {
    const texts = Array.from({ length: 100 }, () => 'x'.repeat(4_000));
    const copied = boundedCopy(texts) as string[];
    expect(copied).toHaveLength(100);
    expect(copied.join('').replaceAll('…', '')).toHaveLength(262_144);
    const keys = Object.fromEntries(texts.map((text, index) => [`${text}${index}`, 'x'.repeat(4_000)]));
    expect(Object.values(boundedCopy(keys) as object).join('').length).toBeLessThan(140_000);
  });

  test('a hundred items of a list', () => {
    expect(boundedCopy(Array.from({ length: 101 }, (_, index) => index))).toHaveLength(100);
  });

  test('twelve levels below the first', () => {
    const nest = (levels: number): unknown => (levels === 0 ? 'inside' : { in: nest(levels - 1) });
    expect(JSON.stringify(boundedCopy(nest(12)))).toContain('inside');
    expect(JSON.stringify(boundedCopy(nest(13)))).not.toContain('inside');
  });

  test('five thousand values in all', () => {
    const wide = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`k${index}`, index]));
    expect(Object.keys(boundedCopy(wide) as object)).toHaveLength(4_999);
  });
});
