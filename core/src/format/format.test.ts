import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { format as en } from '../i18n/en/format.ts';
import { format as ja } from '../i18n/ja/format.ts';
import { createTranslator } from '../i18n/translator.ts';
import { formatBytes } from './bytes.ts';
import {
  formatDate,
  formatDateTime,
  formatDateTimeSeconds,
  formatDay,
  formatFieldDateTime,
  formatShortDateTime,
  parseFieldDateTime,
  readFieldDateTime,
} from './date-time.ts';
import { formatAge, formatDuration } from './duration.ts';
import { countCharacters, firstCharacters } from './graphemes.ts';
import { problemText } from './problem-text.ts';
import { truncate, truncateMiddle } from './truncate.ts';

// Fixed seed, so that every run tests the same cases.
fc.configureGlobal({ seed: 20260131 });

const english = createTranslator('en', en);
const japanese = createTranslator('ja', ja);

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [1234567, '1.18 MiB'],
  [1048575, '1 MiB'],
  [1024 ** 8 * 5000, '5000 YiB'],
  [-2048, '-2 KiB'],
  [Number.NaN, ''],
])('%d bytes', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

describe('characters', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['日本語', 3],
    ['か\u3099', 1],
    ['👨‍👩‍👧‍👦👍🏽', 2],
    ['🇯🇵🇩🇪', 2],
    ['e\u0301\r\n', 2],
  ])('%j has %i', (text, count) => {
    expect(countCharacters(text)).toBe(count);
  });

  test('the short way for plain text counts as the long way does', () => {
    const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
    const anyUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));
    const kana = fc.constantFrom(
      'か',
      '\u3099',
      'ー',
      '漢',
      '・',
      'ﾞ',
      'ｶ',
      '、',
      'a',
      '\u200d',
      '\ufe0f',
      '\u302a',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(anyUnit, kana)), (units) => {
        const text = units.join('');
        expect(countCharacters(text)).toBe([...segmenter.segment(text)].length);
      }),
      { numRuns: 1000 },
    );
  });

  test('counting stops behind the limit', () => {
    expect(countCharacters('か\u3099'.repeat(1_000_000), 10)).toBe(11);
  });

  test('truncation keeps whole characters', () => {
    expect(truncate('a'.repeat(100))).toBe('a'.repeat(100));
    expect(truncate('a'.repeat(101))).toBe(`${'a'.repeat(100)}…`);
    expect(truncate('👨‍👩‍👧‍👦'.repeat(3), 2)).toBe(`${'👨‍👩‍👧‍👦'.repeat(2)}…`);
    expect(truncate('か\u3099'.repeat(100))).toBe('か\u3099'.repeat(100));
    expect(truncateMiddle('abcdef', 6)).toBe('abcdef');
    expect(truncateMiddle('abc def', 5)).toBe('ab…ef');
    expect(truncateMiddle('か\u3099'.repeat(5), 4)).toBe(`${'か\u3099'.repeat(2)}…か\u3099`);
    expect(truncateMiddle('abc', 1)).toBe('…');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat(20), (text, count) => {
        const start = firstCharacters(text, count);
        expect(text.startsWith(start)).toBe(true);
        expect(countCharacters(start)).toBe(Math.min(count, countCharacters(text)));
      }),
    );
  });
});

describe('dates', () => {
  const at = '2026-01-31T15:05:09.123Z';
  const tokyo = { language: 'ja', timeZone: 'Asia/Tokyo' } as const;
  const newYork = { language: 'en', timeZone: 'America/New_York' } as const;

  test('are written by language and zone', () => {
    expect(formatDateTime(at, tokyo)).toBe('2026/02/01 00:05');
    expect(formatDateTime(at, newYork)).toBe('1/31/2026, 10:05');
    expect(formatDateTime(at, { language: 'en', timeZone: 'UTC+5:30' })).toBe('1/31/2026, 20:35');
    expect(formatDateTime(Date.parse(at), { language: 'ja', timeZone: 'UTC-12' })).toBe('2026/01/31 03:05');
    expect(formatDateTimeSeconds(new Date(at), newYork)).toBe('1/31/2026, 10:05:09');
    expect(formatDateTimeSeconds(at, tokyo)).toBe('2026/02/01 00:05:09');
    // Without the year while it is the reader's current one, which is a matter of the zone.
    expect(formatShortDateTime(at, '2026-12-31T12:00:00Z', newYork)).toBe('1/31 10:05');
    expect(formatShortDateTime(at, '2026-12-31T12:00:00Z', tokyo)).toBe('02/01 00:05');
    expect(formatShortDateTime(at, '2026-12-31T15:00:00Z', tokyo)).toBe('2026/02/01');
    expect(formatShortDateTime(at, '2025-12-31T12:00:00Z', newYork)).toBe('1/31/2026');
    expect(formatDate(at, tokyo)).toBe('2026/02/01');
    expect(formatDate(at, newYork)).toBe('1/31/2026');
    expect(formatDay('2026-01-31', 'en')).toBe('1/31/2026');
    expect(formatDay('0001-01-01', 'ja')).toBe('0001/01/01');
    expect(formatFieldDateTime(at, 'Asia/Tokyo')).toBe('2026/02/01 00:05');
  });

  test('midnight is 00 and what is no date stays as it is', () => {
    expect(formatDateTime('2026-01-31T15:00:00Z', tokyo)).toBe('2026/02/01 00:00');
    expect(formatDateTime('soon', tokyo)).toBe('soon');
    expect(formatDateTime(Number.NaN, tokyo)).toBe('');
    expect(() => formatDateTime(at, { language: 'en', timeZone: 'Mars/Olympus' })).toThrow(RangeError);
  });

  test.each([
    ['2026/02/01 00:05', 'Asia/Tokyo', '2026-01-31T15:05:00.000Z'],
    ['2026/2/1 0:05', 'UTC', '2026-02-01T00:05:00.000Z'],
    ['2026/03/08 02:30', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['2026/02/29 00:00', 'UTC', undefined],
    ['2026/13/01 00:00', 'UTC', undefined],
    ['2026/01/01 24:00', 'UTC', undefined],
    ['2026/01/01 10:60', 'UTC', undefined],
    ['2026-01-01 10:00', 'UTC', undefined],
    ['2026/01/01 10:00', 'Mars/Olympus', undefined],
  ])('the field text %s in %s is %s', (text, zone, expected) => {
    expect(parseFieldDateTime(text, zone)).toBe(expected);
  });

  test.each([
    ['2026-10-25T01:30:00Z', '2026/10/25 02:30', '2026-10-25T01:30:00Z'],
    ['2026-10-25T01:30:45.678Z', ' 2026/10/25 02:30 ', '2026-10-25T01:30:45.678Z'],
    ['2026-10-25T01:30:45Z', '2026/10/25 02:31', '2026-10-25T00:31:00.000Z'],
    ['', '2026/10/25 02:30', '2026-10-25T00:30:00.000Z'],
    ['2026/10/25 02:30', '2026/10/25 02:30', '2026-10-25T00:30:00.000Z'],
  ])('after %j was shown in a field in Berlin, the text %j is %s', (shown, text, expected) => {
    expect(readFieldDateTime(text, 'Europe/Berlin', shown)).toBe(expected);
  });

  test('field text comes back to the same minute wherever the hour is not repeated', () => {
    const minutes = fc.integer({ min: 0, max: 60_000_000 }).map((minute) => minute * 60_000);
    const zones = fc.constantFrom('UTC', 'Asia/Tokyo', 'UTC+9', 'UTC-3:30', 'Asia/Kathmandu');
    fc.assert(
      fc.property(minutes, zones, (instant, zone) => {
        expect(parseFieldDateTime(formatFieldDateTime(instant, zone), zone)).toBe(
          new Date(instant).toISOString(),
        );
      }),
    );
  });
});

test.each([
  [0, '0 seconds', '0秒'],
  [1, '1 second', '1秒'],
  [61, '1 minute 1 second', '1分1秒'],
  [3600, '1 hour', '1時間'],
  [3725, '1 hour 2 minutes', '1時間2分'],
  [3605, '1 hour', '1時間'],
  [90_061, '1 day 1 hour', '1日1時間'],
  [Number.NaN, '', ''],
])('%d seconds last %s', (seconds, inEnglish, inJapanese) => {
  expect(formatDuration(seconds, english)).toBe(inEnglish);
  expect(formatDuration(seconds, japanese)).toBe(inJapanese);
});

test.each([
  [0, 'just now', 'たった今'],
  [9, 'just now', 'たった今'],
  [30, '30 s ago', '30秒前'],
  [185, '3 min ago', '3分前'],
  [7200, '2 h ago', '2時間前'],
  [86_400, '1 day ago', '1日前'],
  [-3600, 'in 1 h', '1時間後'],
  [-200_000, 'in 2 days', '2日後'],
])('%d seconds back is %s', (seconds, inEnglish, inJapanese) => {
  const now = Date.parse('2026-01-31T00:00:00Z');
  const at = new Date(now - seconds * 1000).toISOString();
  expect(formatAge(at, now, english)).toBe(inEnglish);
  expect(formatAge(at, now, japanese)).toBe(inJapanese);
});

test.each([
  [{ title: 'Conflict', detail: 'The name is taken' }, 'Conflict: The name is taken'],
  [{ title: 'Conflict' }, 'error: Conflict'],
  [{ title: 'Conflict', detail: '' }, 'error: Conflict'],
  [new DOMException('This operation was aborted', 'AbortError'), ''],
  [new TypeError('fetch failed'), 'fetch failed'],
  ['text', 'text'],
  [null, ''],
  [undefined, ''],
])('problem %#', (problem, text) => {
  expect(problemText(problem)).toBe(text);
});
