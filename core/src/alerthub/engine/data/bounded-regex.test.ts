import { describe, expect, it } from 'vitest';
import { FlowError } from '../errors/flow-error.ts';
import { BoundedRegex, checkGroup, parseReplacement } from './bounded-regex.ts';

function refusalOf(pattern: string): string {
  try {
    new BoundedRegex(pattern, false);
  } catch (error) {
    if (error instanceof FlowError) return error.reason.word;
  }
  return 'taken';
}

describe('patterns', () => {
  it.each([
    ['(?=a)b', 'why.regex.lookAround'],
    ['(?!a)b', 'why.regex.lookAround'],
    ['(?<=a)b', 'why.regex.lookAround'],
    ['(?<!a)b', 'why.regex.lookAround'],
    ['(a)\\1', 'why.regex.backReference'],
    ['(a{1000}){1000}', 'why.regex.tooLarge'],
    ['((a{10}){10}){10}(b{900})c{900}', 'why.regex.tooLarge'],
    ['a{1001}', 'why.regex.tooLarge'],
    ['[', 'why.regex.invalid'],
    ['(', 'why.regex.invalid'],
    ['a**', 'why.regex.invalid'],
    ['\\p{Nope}', 'why.regex.invalid'],
    ['(?<name>a)|(?i:b)', 'taken'],
    ['', 'taken'],
  ])('%s is %s', (pattern, word) => expect(refusalOf(pattern)).toBe(word));
});

describe('bounded time', { timeout: 30_000 }, () => {
  it('refuses a pattern longer than 2,000 characters', () => {
    expect(refusalOf(`[${'a'.repeat(1998)}]`)).toBe('taken');
    expect(refusalOf('a'.repeat(2001))).toBe('why.regex.longPattern');
  });
  const a = 'a'.repeat(100_000);
  const mixed = 'ab'.repeat(50_000);
  it('replaces every blank of a long text', () => {
    expect(new BoundedRegex('\\s+', false).replaceAll('ab \t'.repeat(60_000), [' '], 1_000_000).text).toBe(
      'ab '.repeat(60_000),
    );
    expect(new BoundedRegex('[^a-z\\]]', false).replaceAll('a1'.repeat(100_000), [''], 1_000_000).text).toBe(
      'a'.repeat(100_000),
    );
  });
  it.each(['(a+)+$', '(a+)+b$', '(a|aa)+$', '([a-zA-Z]+)*$', '(.*a){20}$', '(a?){50}a{50}$'])(
    '%s',
    (pattern) => {
      const regex = new BoundedRegex(pattern, false);
      const started = process.cpuUsage();
      for (const text of [a, mixed, `${a}!`]) {
        const input = text.slice(0, regex.maxInputLength);
        regex.matches(input);
        regex.extract(input, 0);
        regex.replaceAll(input, ['x'], 1_000_000);
      }
      expect(process.cpuUsage(started).user / 1000).toBeLessThan(15_000);
    },
  );
  it('takes less input for larger programs', () => {
    expect(new BoundedRegex('a', false).maxInputLength).toBe(262_144);
    expect(new BoundedRegex('[ab]{900}c', false).maxInputLength).toBeLessThan(50_000);
  });
  it('gives up replacing when every match would read the rest', () => {
    expect(new BoundedRegex('a.*b|a', false).replaceAll('a'.repeat(200_000), ['x'], 1_000_000).text).toBe(
      undefined,
    );
  });
});

describe('replaceAll', () => {
  it.each<[string, string, string, string]>([
    ['a', 'banana', 'o', 'bonono'],
    ['(\\w+)@(\\w+)', 'me@home', '$2 at $1', 'home at me'],
    ['(?<n>\\d)', 'a1b2', `<\${n}>`, 'a<1>b<2>'],
    ['a', 'a', '$$1', '$1'],
    ['(a)|(b)', 'ab', '[$1$2]', '[a][b]'],
    ['x*', 'ab', '-', '-a-b-'],
    ['', 'ab', '-', '-a-b-'],
    ['a', '', 'x', ''],
    ['日', '日本日', 'x', 'x本x'],
    ['😀', 'a😀b', 'x', 'axb'],
  ])('%s in %s by %s', (pattern, text, replacement, expected) => {
    const regex = new BoundedRegex(pattern, false);
    expect(regex.replaceAll(text, parseReplacement(replacement, regex), 1000).text).toBe(expected);
  });
  it('refuses groups that are not there', () => {
    const regex = new BoundedRegex('(a)(?<n>b)', false);
    expect(() => parseReplacement('$3', regex)).toThrow(FlowError);
    expect(() => parseReplacement(`\${m}`, regex)).toThrow(FlowError);
    expect(() => checkGroup('constructor', regex)).toThrow(FlowError);
    expect(checkGroup('n', regex)).toBe('n');
    expect(checkGroup('2', regex)).toBe(2);
  });
});
