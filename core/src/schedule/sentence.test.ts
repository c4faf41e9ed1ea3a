import { expect, test } from 'vitest';
import { format as enFormat } from '../i18n/en/format.ts';
import { schedule as en } from '../i18n/en/schedule.ts';
import { format as jaFormat } from '../i18n/ja/format.ts';
import { schedule as ja } from '../i18n/ja/schedule.ts';
import { createTranslator } from '../i18n/translator.ts';
import { muteSentence, rruleSentence } from './mute-sentence.ts';
import type { Recurrence, Timing } from './schedule.ts';
import { scheduleSentence } from './schedule-sentence.ts';

const english = createTranslator('en', { ...en, ...enFormat });
const japanese = createTranslator('ja', { ...ja, ...jaFormat });
const inEnglish = { language: 'en', timeZone: 'Asia/Tokyo' } as const;
const inJapanese = { language: 'ja', timeZone: 'Asia/Tokyo' } as const;
const base: Recurrence = { frequency: 'day', hour: 9, minute: 5, timeZone: 'Asia/Tokyo' };

test.each<[Timing, string, string]>([
  [
    { oneshot: '2026-05-01T00:00:00Z' },
    'Once, on 5/1/2026, 09:00 (Asia/Tokyo)',
    '2026/05/01 09:00に1回（Asia/Tokyo）',
  ],
  [{ recurrence: base }, 'Every day at 09:05 (Asia/Tokyo)', '毎日 09:05（Asia/Tokyo）'],
  [
    { recurrence: { ...base, frequency: 'week', weekDay: 'monday' } },
    'Every Monday at 09:05 (Asia/Tokyo)',
    '毎週月曜日 09:05（Asia/Tokyo）',
  ],
  [
    { recurrence: { ...base, frequency: 'week', weekDay: ['sunday', 'monday', 'friday'] } },
    'Every Monday, Friday and Sunday at 09:05 (Asia/Tokyo)',
    '毎週月曜日・金曜日・日曜日 09:05（Asia/Tokyo）',
  ],
  [
    {
      recurrence: {
        ...base,
        frequency: 'week',
        weekDay: ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'],
      },
    },
    'Every day at 09:05 (Asia/Tokyo)',
    '毎日 09:05（Asia/Tokyo）',
  ],
  [
    { recurrence: { ...base, frequency: 'month', day: 15, timeZone: 'UTC+9' } },
    'Every month on day 15 at 09:05 (UTC+9)',
    '毎月15日 09:05（UTC+9）',
  ],
  [
    { recurrence: { ...base, frequency: 'month', day: 30 } },
    'Every month on day 30, or the last day of a shorter month, at 09:05 (Asia/Tokyo)',
    '毎月30日 09:05（その日がない月は末日、Asia/Tokyo）',
  ],
  [
    { recurrence: { ...base, frequency: 'month', day: 31 } },
    'On the last day of every month at 09:05 (Asia/Tokyo)',
    '毎月末日 09:05（Asia/Tokyo）',
  ],
])('%j', (timing, first, second) => {
  expect(scheduleSentence(timing, inEnglish, english)).toBe(first);
  expect(scheduleSentence(timing, inJapanese, japanese)).toBe(second);
});

test('an invalid schedule has no sentence', () => {
  expect(() => scheduleSentence({}, inEnglish, english)).toThrow('invalid schedule: recurrence');
});

const mute = (rrule: string | null, timeZone?: string) => ({
  beginAt: '2026-01-05T22:00:00Z',
  endAt: '2026-01-06T06:30:00Z',
  rrule,
  timeZone,
});
const tail = (text: string) => `${text} for 8 hours 30 minutes (UTC), from 1/5/2026`;
const eightAndAHalfHours = [
  japanese('format.duration.hour', { count: 8 }),
  japanese('format.duration.minute', { count: 30 }),
].join(jaFormat['format.duration.gap']);
const end = (text: string) => `${text}から${eightAndAHalfHours}（UTC）、2026/01/05開始`;

test.each([
  [
    null,
    '1/6/2026, 07:00 to 1/6/2026, 15:30 (Asia/Tokyo)',
    '2026/01/06 07:00から2026/01/06 15:30まで（Asia/Tokyo）',
  ],
  ['FREQ=DAILY', tail('Every day at 22:00'), end('毎日 22:00')],
  [
    'FREQ=WEEKLY;BYDAY=MO,WE',
    tail('Every week on Monday and Wednesday at 22:00'),
    end('毎週月曜日・水曜日 22:00'),
  ],
  ['FREQ=WEEKLY;INTERVAL=2', tail('Every 2 weeks at 22:00'), end('2週間ごと 22:00')],
  [
    'FREQ=MONTHLY;BYDAY=-1FR,1MO;BYHOUR=1,13',
    tail('Every month on the last Friday and the first Monday at 01:00 and 13:00'),
    end('毎月最終金曜日・第1月曜日 01:00・13:00'),
  ],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', tail('Every month on the last day at 22:00'), end('毎月の末日 22:00')],
  [
    'FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=2',
    tail('Every year in January and July on day 2 at 22:00'),
    end('毎年1月・7月の2日 22:00'),
  ],
  ['FREQ=HOURLY;INTERVAL=6', tail('Every 6 hours at minute 0'), end('6時間ごとの0分')],
  ['FREQ=DAILY;COUNT=3', `${tail('Every day at 22:00')}, 3 times`, `${end('毎日 22:00')}、全3回`],
  [
    'FREQ=DAILY;UNTIL=20260201',
    `${tail('Every day at 22:00')} until 2/1/2026`,
    `${end('毎日 22:00')}、2026/02/01まで`,
  ],
  [
    'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1',
    tail('Every month on Monday and Tuesday (only the last of these) at 22:00'),
    end('毎月月曜日・火曜日（その最後のみ） 22:00'),
  ],
])('mute %s', (rrule, first, second) => {
  expect(muteSentence(mute(rrule), inEnglish, english)).toBe(first);
  expect(muteSentence(mute(rrule), inJapanese, japanese)).toBe(second);
});

test.each([
  ['FREQ=MONTHLY;COUNT=10;BYDAY=2TU', 'Every month on the second Tuesday, 10 times', '毎月第2火曜日、全10回'],
  ['now and then', 'now and then', 'now and then'],
])('a rule alone, %s', (rule, first, second) => {
  expect(rruleSentence(rule, inEnglish, english)).toBe(first);
  expect(rruleSentence(rule, inJapanese, japanese)).toBe(second);
});

test('a mute schedule is told on the clock of its own zone', () => {
  expect(muteSentence(mute('FREQ=DAILY;UNTIL=20260201T150000Z', 'Asia/Tokyo'), inEnglish, english)).toBe(
    'Every day at 07:00 for 8 hours 30 minutes (Asia/Tokyo), from 1/6/2026 until 2/2/2026, 00:00',
  );
});
