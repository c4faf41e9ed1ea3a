import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTimeZone, localTimeZone, timeZoneNames, utcOffsets } from '../time/time-zone.ts';
import { checkListSize } from './list-size.ts';
import { dropBlankItems, joinListText, mergePasted, splitListText, validateListText } from './list-text.ts';
import { checkPattern, compilePattern } from './pattern.ts';

// Fixed seed, so that every run tests the same cases.
fc.configureGlobal({ seed: 20260131 });

test('list sizes', () => {
  expect(checkListSize([], { min: 1 })).toEqual({ word: 'rule.minSize', count: 1 });
  expect(checkListSize([1, 2], { max: 1 })).toEqual({ word: 'rule.maxSize', count: 1 });
  expect(checkListSize([1], { min: 1, max: 1 })).toBeUndefined();
});

test('every offered time zone is a time zone', () => {
  expect(utcOffsets).toHaveLength(27);
  expect(utcOffsets[0]).toBe('UTC-12');
  expect(utcOffsets[12]).toBe('UTC');
  expect(utcOffsets.at(-1)).toBe('UTC+14');
  expect([...utcOffsets, ...timeZoneNames(), localTimeZone()].filter((zone) => !isTimeZone(zone))).toEqual(
    [],
  );
});

describe('patterns', () => {
  test('are searched for, and anchored when they say so', () => {
    expect(checkPattern('xay', 'a')).toBeUndefined();
    expect(checkPattern('xay', '^a$')).toEqual({ word: 'rule.pattern', pattern: '^a$' });
  });

  test.each(['(', '(?=a)', '(a)\\1', '[z-a]', 'a{1001}', 'a'.repeat(1001)])('%j is refused', (pattern) => {
    expect(() => compilePattern(pattern)).toThrow('pattern refused');
  });

  test('classic bombs end soon', () => {
    const started = process.cpuUsage();
    for (const pattern of ['^(a+)+$', '^(a|aa)+$', '(.*)*x', '^(([a-z])+.)+[A-Z]([a-z])+$']) {
      checkPattern(`${'a'.repeat(20_000)}!`, pattern);
    }
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(20_000);
  });
});

describe('list-valued text', () => {
  test('splits at the delimiter and keeps blank items while editing', () => {
    expect(splitListText('')).toEqual([]);
    expect(splitListText('a, b,,c ')).toEqual(['a', 'b', '', 'c']);
    expect(splitListText('a; b', ';')).toEqual(['a', 'b']);
  });

  test('drops blank items on leaving', () => {
    expect(dropBlankItems(['a', ' ', '', ' b '])).toEqual(['a', 'b']);
  });

  test('pasting merges and drops doubles', () => {
    expect(mergePasted(['a', 'b'], 'b, c\r\nd,a,,\n e')).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(mergePasted(['a'], 'b|a', '|')).toEqual(['a', 'b']);
  });

  test('tells what is wrong with each item', () => {
    expect(
      validateListText(['ab', '', 'abcd', 'x1'], {
        minSize: 5,
        minItemLength: 1,
        maxItemLength: 3,
        pattern: '^[a-z]*$',
      }),
    ).toEqual({
      list: { word: 'rule.minSize', count: 5 },
      items: [
        undefined,
        { word: 'rule.minLength', count: 1 },
        { word: 'rule.maxLength', count: 3 },
        { word: 'rule.pattern', pattern: '^[a-z]*$' },
      ],
    });
  });

  const item = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .map((text) => text.replace(/[,\r\n]/g, '').trim());
  const items = fc.array(item.filter((text) => text !== ''));

  test('split(join(x)) is x for trimmed items without the delimiter', () => {
    fc.assert(
      fc.property(items, (list) => {
        expect(splitListText(joinListText(list))).toEqual(list);
      }),
    );
  });

  test('pasting keeps every item once, in order of first appearance, and twice changes nothing', () => {
    fc.assert(
      fc.property(items, fc.array(items), (list, lines) => {
        const pasted = lines.map((line) => joinListText(line)).join('\n');
        const merged = mergePasted(list, pasted);
        const everything = [...list, ...lines.flat()];
        expect(merged).toEqual(everything.filter((value, index) => everything.indexOf(value) === index));
        expect(mergePasted(merged, pasted)).toEqual(merged);
      }),
    );
  });
});
