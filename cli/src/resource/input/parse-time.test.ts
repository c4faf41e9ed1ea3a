import { describe, expect, test } from 'vitest';
import { testTerminal } from '../../../test/test-terminal.ts';
import { reportError } from '../../command-line/report-error.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { parseDuration, parseTime } from './parse-time.ts';

describe('lengthOf', () => {
  test.each([
    ['90', 90],
    ['0', 0],
    ['5m', 300],
    ['1h30m', 5400],
    ['2w', 1_209_600],
    ['1.5h', undefined],
    ['-5m', undefined],
    ['', undefined],
    ['m', undefined],
    ['9'.repeat(20), undefined],
  ])('%s', (text, seconds) => expect(parseDuration(text)).toBe(seconds));
});

describe('momentOf', () => {
  const now = Date.parse('2026-03-01T12:00:00.000Z');
  test.each([
    ['now', '2026-03-01T12:00:00.000Z'],
    ['2h', '2026-03-01T10:00:00.000Z'],
    ['+2h', '2026-03-01T14:00:00.000Z'],
    ['7d', '2026-02-22T12:00:00.000Z'],
    ['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000Z'],
    ['2026-01-31T09:00+09:00', '2026-01-31T00:00:00.000Z'],
  ])('%s', (text, iso) => expect(parseTime(text, '--since', now)).toBe(iso));

  test('a time without a zone is local', () => {
    expect(parseTime('2026-01-31 09:00', '--since', now)).toBe(new Date(2026, 0, 31, 9).toISOString());
    expect(parseTime('2026-01-31', '--since', now)).toBe(new Date(2026, 0, 31).toISOString());
  });

  test('a refusal tells how to name a time before and after now', async () => {
    const { terminal, err } = await testTerminal();
    try {
      parseTime('tonight', '--end-at', now);
    } catch (error) {
      reportError(terminal, error);
    }
    expect(err()).toMatch(/^--end-at .*\bnow\b.* 2h .* \+2h .*tonight\n$/);
  });

  test.each(['', 'yesterday', '2026-13-01', '2026-02-31T00:00Z!', '12', '99999999999999999d', '+'])(
    '%j is refused',
    (text) => {
      expect(() => parseTime(text, '--since', now)).toThrow(UsageError);
    },
  );
});
