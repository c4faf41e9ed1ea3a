import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { weekDays } from '../time/week-day.ts';
import { parseRrule, rruleFrequencies } from './rrule.ts';
import { defaultRepeat, monthOrdinals, parseRepeat, printRepeat, type Repeat } from './rrule-form.ts';

describe('a rule that a form can ask for', () => {
  test.each<[string, Partial<Repeat>]>([
    ['FREQ=DAILY', { frequency: 'DAILY' }],
    ['FREQ=HOURLY;INTERVAL=6', { frequency: 'HOURLY', interval: 6 }],
    ['FREQ=WEEKLY', {}],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR', { interval: 2, days: ['monday', 'friday'] }],
    ['FREQ=MONTHLY', { frequency: 'MONTHLY' }],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', { frequency: 'MONTHLY', monthDayRule: 'last' }],
    [
      'FREQ=MONTHLY;BYDAY=2TU',
      { frequency: 'MONTHLY', monthDayRule: 'weekday', ordinal: 2, weekDay: 'tuesday' },
    ],
    [
      'FREQ=MONTHLY;BYDAY=-1SU',
      { frequency: 'MONTHLY', monthDayRule: 'weekday', ordinal: -1, weekDay: 'sunday' },
    ],
    ['FREQ=YEARLY;COUNT=3', { frequency: 'YEARLY', count: 3 }],
    ['FREQ=DAILY;UNTIL=20261231', { frequency: 'DAILY', until: '2026-12-31' }],
  ])('%s', (text, part) => {
    const repeat = { ...defaultRepeat, ...part };
    expect(printRepeat(repeat)).toBe(text);
    expect(parseRepeat(text)).toEqual(repeat);
  });

  test('may name the days of a week in any order', () => {
    expect(parseRepeat('RRULE:FREQ=WEEKLY;BYDAY=FR,MO')).toEqual({
      ...defaultRepeat,
      days: ['friday', 'monday'],
    });
  });

  test('comes back from its text', () => {
    const repeats = fc
      .record({
        frequency: fc.constantFrom(...rruleFrequencies),
        interval: fc.integer({ min: 1, max: 1000 }),
        days: fc.subarray([...weekDays]),
        monthDayRule: fc.constantFrom<Repeat['monthDayRule'][]>('same', 'last', 'weekday'),
        ordinal: fc.constantFrom(...monthOrdinals),
        weekDay: fc.constantFrom(...weekDays),
        end: fc.oneof(
          fc.constant({}),
          fc.record({ count: fc.integer({ min: 1, max: 10_000 }) }),
          fc.record({ until: fc.constantFrom('2026-02-28', '2030-12-31') }),
        ),
      })
      .map(({ end, ...rest }): Repeat => ({ ...rest, ...end }));
    fc.assert(
      fc.property(repeats, (repeat) => {
        const text = printRepeat(repeat);
        expect(() => parseRrule(text)).not.toThrow();
        expect(printRepeat(parseRepeat(text)!)).toBe(text);
      }),
    );
  });
});

test.each([
  'every monday',
  'FREQ=SECONDLY',
  'FREQ=DAILY;BYHOUR=3',
  'FREQ=WEEKLY;WKST=SU',
  'FREQ=WEEKLY;BYMONTH=1',
  'FREQ=MONTHLY;BYMONTHDAY=15',
  'FREQ=MONTHLY;BYMONTHDAY=-1,1',
  'FREQ=MONTHLY;BYDAY=MO',
  'FREQ=MONTHLY;BYDAY=5MO',
  'FREQ=MONTHLY;BYDAY=1MO,2MO',
  'FREQ=DAILY;BYDAY=MO',
  'FREQ=DAILY;UNTIL=20261231T235959Z',
])('%s says more than a form can, or nothing', (text) => {
  expect(parseRepeat(text)).toBeUndefined();
});
