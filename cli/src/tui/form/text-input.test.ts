import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyTextKey, createTextInput } from './text-input.ts';

const typed = (keys: readonly string[]) => keys.reduce(applyTextKey, createTextInput());

describe('typeKey', () => {
  test.each<[string[], string, number]>([
    [['a', 'b', 'left', 'c'], 'acb', 2],
    [['監', '視', 'backspace'], '監', 1],
    [['👨‍👩‍👧', 'left', 'x', 'right', 'y'], 'x👨‍👩‍👧y', 10],
    [['a', 'space', 'b', 'ctrl-w'], 'a ', 2],
    [['a', 'b', 'ctrl-a', 'delete'], 'b', 0],
    [['a', 'b', 'home', 'ctrl-k'], '', 0],
    [['a', 'b', 'left', 'ctrl-u'], 'b', 0],
    [['a', 'page-up', 'wheel-down', 'tab'], 'a', 1],
  ])('%j', (keys, text, at) => expect(typed(keys)).toEqual({ text, at }));

  test('the cursor stands between characters, whatever is typed', () => {
    const keys = fc.oneof(
      fc.constantFrom(
        'left',
        'right',
        'home',
        'end',
        'backspace',
        'delete',
        'ctrl-w',
        'ctrl-u',
        'ctrl-k',
        'space',
      ),
      fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 60 }), (list) => {
        const { text, at } = typed(list);
        expect(at).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThanOrEqual(text.length);
        expect(text.length).toBeLessThanOrEqual(500);
        expect(() => encodeURIComponent(text.slice(0, at))).not.toThrow();
      }),
    );
  });
});
