import { describe, expect, test } from 'vitest';
import { measureFor, wideMeasure } from './measure.ts';

describe('measure', () => {
  test.each([
    ['plain', 'plain', 5],
    ['日本語', '日本語', 6],
    ['half-width kana', 'ｶﾅ', 2],
    ['an emoji of many parts', '👩‍👩‍👧', 2],
    ['a combining accent', 'e\u0301', 1],
    ['nothing', '', 0],
  ])('%s', async (_name, text, width) => expect((await measureFor([text])).width(text)).toBe(width));

  test.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['abcdef', 1, '…'],
    ['abcdef', 0, ''],
    ['日本語', 6, '日本語'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['日本語', 2, '…'],
    ['👩‍👩‍👧👩‍👩‍👧', 3, '👩‍👩‍👧…'],
  ])('cuts %s to %i', async (text, columns, cut) => {
    const measure = await wideMeasure();
    expect(measure.cut(text, columns)).toBe(cut);
    expect(measure.width(measure.fit(text, columns))).toBe(columns);
  });

  test('pads on the asked side', async () => {
    const measure = await wideMeasure();
    expect(measure.fit('語', 4)).toBe('語  ');
    expect(measure.fit('42', 4, 'right')).toBe('  42');
  });

  test('looks at a huge text only as far as needed', async () => {
    const measure = await wideMeasure();
    const started = process.cpuUsage();
    expect(measure.width(measure.cut('語'.repeat(5_000_000), 40))).toBeLessThanOrEqual(40);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000);
  });
});
