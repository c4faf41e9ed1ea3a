import headless from '@xterm/headless';
import { describe, expect, test } from 'vitest';
import { testTerminal } from '../../test/test-terminal.ts';
import { hasControlCharacters } from './clean.ts';
import { measureFor, wideMeasure } from './measure.ts';
import { Progress } from './progress.ts';
import { applyStyle } from './style.ts';
import { fitWidths, formatTable } from './table.ts';
import { wrapText } from './wrap-text.ts';

const measure = await wideMeasure();

test.each([
  ['a line that fits', 'one two', 7, ['one two']],
  ['at spaces', 'one two', 6, ['one', 'two']],
  ['as many words as fit', 'a b c d', 3, ['a b', 'c d']],
  ['inside a word that is too long', 'abcdefg h', 3, ['abc', 'def', 'g h']],
  ['a long word after others', 'a bcdef', 3, ['a', 'bcd', 'ef']],
  ['wide characters', '日本語日本', 4, ['日本', '語日', '本']],
  ['a character that is wider than the room', '日本', 1, ['…', '…']],
])('text is wrapped: %s', (_what, text, width, expected) => {
  expect(wrapText(text, width, measure)).toEqual(expected);
});

describe('progress', () => {
  const drawn = async (columns: number, live: boolean, env: NodeJS.ProcessEnv = {}) => {
    const { terminal, err } = await testTerminal({ live, env: { COLUMNS: String(columns), ...env } });
    const progress = new Progress(terminal);
    progress.show('half', 1, 2);
    progress.show('half', 1, 2);
    progress.show('unknown', 5, 0);
    progress.show('over', 9, 2);
    progress.end();
    progress.end();
    return err();
  };

  test('on a terminal is one line that is drawn again, with a bar where there is room', async () => {
    const line = (text: string) => `\x1b[?7l\r\x1b[2K${text}\x1b[?7h`;
    const bars = [`${'#'.repeat(12)}${'.'.repeat(12)}  half`, 'unknown', `${'#'.repeat(24)}  over`];
    expect(await drawn(55, true)).toBe(`${bars.map(line).join('')}\n`);
    expect(await drawn(54, true)).toBe(`${['half', 'unknown', 'over'].map(line).join('')}\n`);
  });

  test('that is longer than the terminal is wide leaves no lines behind', async () => {
    const { terminal, err } = await testTerminal({ live: true, env: { COLUMNS: '20' } });
    const progress = new Progress(terminal);
    for (const done of [1, 2, 3]) progress.show(`計画を作成しています… ${done}0000/100000`, done, 10);
    progress.end();
    const screen = new headless.Terminal({ cols: 20, rows: 6, allowProposedApi: true });
    await new Promise<void>((resolve) => screen.write(err(), resolve));
    const lines = Array.from({ length: 6 }, (_, row) =>
      screen.buffer.active.getLine(row)!.translateToString(true),
    );
    expect(lines.filter(Boolean)).toEqual(['計画を作成していま…']);
    expect(screen.modes.wraparoundMode).toBe(true);
  });

  test('elsewhere is a line for each text', async () => {
    expect(await drawn(80, false)).toBe('half\nunknown\nover\n');
    expect(await drawn(80, true, { TERM: 'dumb' })).toBe('half\nunknown\nover\n');
  });
});

test.each([
  ['danger', 'x', '\x1b[31mx\x1b[39m'],
  ['success', 'x', '\x1b[32mx\x1b[39m'],
  ['warning', 'x', '\x1b[33mx\x1b[39m'],
  ['progress', 'x', '\x1b[34mx\x1b[39m'],
  ['info', 'x', '\x1b[36mx\x1b[39m'],
  ['bold', 'x', '\x1b[1mx\x1b[22m'],
  ['dim', 'x', '\x1b[2mx\x1b[22m'],
  ['inverse', 'x', '\x1b[7mx\x1b[27m'],
  ['neutral', 'x', 'x'],
  ['danger', '', ''],
] as const)('%s %j is painted', (style, text, expected) => expect(applyStyle(style, text)).toBe(expected));

test.each([
  ['a\nb', false],
  ['日本', false],
  ['a\x1bb', true],
  ['a\tb', true],
  ['\u202e', true],
])('%j has control characters: %s', (text, expected) => expect(hasControlCharacters(text)).toBe(expected));

describe('a measure', () => {
  test('of long texts looks at a beginning that is long enough', async () => {
    const plain = await measureFor(['x']);
    expect(plain.cut('x'.repeat(1000), 5)).toBe('xxxx…');
    expect(plain.cut('x'.repeat(5), 5)).toBe('x'.repeat(5));
    // Accents take no columns.
    const accented = `a${'\u0301'.repeat(20)}`;
    expect(measure.cut(accented, 3)).toBe(accented);
    expect(measure.width(accented)).toBe(1);
  });
});

describe('a table', () => {
  const plain = (_style: string, text: string) => text;

  test('does not pad the last column, unless it is one of numbers', () => {
    const lines = (right: boolean) =>
      formatTable(
        [{ title: 'a' }, { title: 'long', right }],
        [[{ text: 'x' }, { text: '1' }]],
        40,
        measure,
        plain,
      );
    expect(lines(false)).toEqual(['A  LONG', 'x  1']);
    expect(lines(true)).toEqual(['A  LONG', 'x     1']);
  });

  test.each([
    ['two columns share what is missing', [30, 30], 42, [20, 20]],
    ['the first gives way where they are equal', [30, 30], 61, [29, 30]],
    ['no column gets narrower than eight', [8, 30], 20, [8, 10]],
    ['one is left when nothing else helps', [8, 8], 17, [8]],
    ['none has no width', [], 10, [1]],
  ])('%s', (_what, natural, width, expected) => {
    const columns = natural.map(() => ({ title: '' }));
    expect(fitWidths(columns, natural, width)).toEqual(expected);
  });
});
