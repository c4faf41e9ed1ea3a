import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedJson } from './bounded-json.ts';
import { toDisplayText, toEpochMs, toNumber, toText } from './convert-values.ts';

describe('numberOf', () => {
  it.each<[unknown, number | undefined]>([
    [5, 5],
    ['5', 5],
    [' -1.5e2 ', -150],
    ['.5', 0.5],
    ['5.', 5],
    ['0x10', undefined],
    ['', undefined],
    ['5a', undefined],
    ['Infinity', undefined],
    ['1e999', undefined],
    [Number.NaN, undefined],
    [true, undefined],
    [null, undefined],
    [[5], undefined],
    ['1'.repeat(65), undefined],
    ['1,000', undefined],
  ])('%j', (value, expected) => expect(toNumber(value)).toBe(expected));
});

describe('timeOf', () => {
  const at = Date.parse('2023-01-11T02:12:00Z');
  it.each<[unknown, number | undefined]>([
    ['2023-01-11T11:12:00+09:00', at],
    ['2023-01-11T02:12:00.000000000Z', at],
    ['2023-01-11T02:12', at],
    ['2023-01-11 02:12:00', at],
    ['2023-01-11 11:12:00 +0900', at],
    ['11 Jan 23 11:12 +0900', at],
    ['Wed, 11 Jan 2023 11:12:00 +0900', at],
    ['Wed, 11 Jan 2023 02:12:00 GMT', at],
    ['2023/1/11 2:12:00', at],
    ['2023/01/11 02:12', at],
    ['2023.01.11 02:12:00', at],
    [at, at],
    [at / 1000, at],
    [String(at / 1000), at],
    ['yesterday', undefined],
    ['', undefined],
    [null, undefined],
    [{}, undefined],
    [-1, undefined],
    ['2023-13-11T00:00:00Z', undefined],
    ['2'.repeat(65), undefined],
  ])('%j', (value, expected) => {
    expect(toEpochMs(value)).toBe(expected);
  });
  it('reads a Unix time below 100,000,000,000 in seconds, and others in milliseconds up to the last date', () => {
    expect(toEpochMs(99_999_999_999)).toBe(99_999_999_999_000);
    expect(toEpochMs(100_000_000_000)).toBe(100_000_000_000);
    expect(toEpochMs(8.64e15)).toBe(8.64e15);
    expect(toEpochMs(8.64e15 + 1)).toBe(undefined);
    expect(toEpochMs(0)).toBe(0);
    expect(toEpochMs(-1)).toBe(undefined);
  });
  it('reads a text of at most 64 characters', () => {
    expect(toEpochMs('2023-01-11T02:12:00Z'.padEnd(64))).toBe(at);
    expect(toEpochMs('2023-01-11T02:12:00Z'.padEnd(65))).toBe(undefined);
  });
  it('uses the zone where the text has none', () => {
    expect(toEpochMs('2023-01-11 11:12', 'Asia/Tokyo')).toBe(at);
    expect(toEpochMs('2023-01-11T02:12:00Z', 'Asia/Tokyo')).toBe(at);
  });
});

it('cuts a text that is shown after 200 characters', () => {
  expect(toDisplayText('x'.repeat(200))).toBe('x'.repeat(200));
  expect(toDisplayText('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`);
  for (const character of ['\u{10000}', '\u{10ffff}'])
    expect(toDisplayText(`${'x'.repeat(198)}${character}x`)).toBe(`${'x'.repeat(198)}…`);
});

describe('jsonText', () => {
  it('is JSON.stringify for plain data that fits', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(boundedJson(value, 1_000_000)).toEqual({ text: JSON.stringify(value), isComplete: true });
      }),
    );
  });
  it('never passes the bound', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(50), (value, max) => {
        const { text, isComplete } = boundedJson(value, max);
        expect(text.length).toBeLessThanOrEqual(max);
        expect(isComplete).toBe(JSON.stringify(value).length <= max);
        if (isComplete) expect(text).toBe(JSON.stringify(value));
      }),
    );
  });
  it('gives up on depth', () => {
    expect(boundedJson(JSON.parse('['.repeat(1_000_000) + ']'.repeat(1_000_000)), 1_000_000).isComplete).toBe(
      false,
    );
  });
});

describe('what is seen', () => {
  it.each<[unknown, string | null]>([
    [undefined, null],
    [null, null],
    ['', ''],
    ['a', 'a'],
    [5, '5'],
    [false, 'false'],
    [{ a: [1] }, '{"a":[1]}'],
    ['x'.repeat(300), `${'x'.repeat(199)}…`],
    [`${'x'.repeat(198)}😀${'y'.repeat(100)}`, `${'x'.repeat(198)}…`],
  ])('%j', (value, expected) => expect(toDisplayText(value)).toBe(expected));
  it('shortens large data', () => {
    const seen = toDisplayText(Array.from({ length: 1_000_000 }, (_, index) => index))!;
    expect(seen).toHaveLength(200);
    expect(seen.startsWith('[0,1,2')).toBe(true);
  });
  it('prints objects as text', () => {
    expect(toText({ a: 1 })).toBe('{"a":1}');
    expect(toText(Array(2_000_000).fill(1))).toBe(undefined);
  });
});
