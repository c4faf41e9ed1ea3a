import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDiff } from './line-diff.ts';

const signs = { same: ' ', added: '+', removed: '-' } as const;
const printed = (before: string, after: string) =>
  lineDiff(before, after).map(({ kind, text }) => signs[kind] + text);

describe('lineDiff', () => {
  it.each([
    ['a\nb', 'a\nb', [' a', ' b']],
    ['a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
    ['a', 'a\nb', [' a', '+b']],
    ['a\nb\nc\nd', 'b\nd\ne', ['-a', ' b', '-c', ' d', '+e']],
    ['', 'a', ['-', '+a']],
  ])('%j to %j', (before, after, lines) => {
    expect(printed(before, after)).toEqual(lines);
  });

  it('holds both texts, whatever they are', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
      .map((all) => all.join('\n'));
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = lineDiff(before, after);
        const without = (kind: string) => lines.filter((line) => line.kind !== kind).map(({ text }) => text);
        expect(without('added').join('\n')).toBe(before);
        expect(without('removed').join('\n')).toBe(after);
      }),
    );
  });

  it('replaces what is too long to compare', () => {
    const text = (word: string) => Array.from({ length: 2000 }, (_, index) => word + index).join('\n');
    expect(lineDiff(text('a'), text('b'))).toHaveLength(4000);
  });
});
