import { expect, test } from 'vitest';
import { ManualClock } from './clock.ts';
import { FailureLog } from './failure-log.ts';
import type { LogLine } from './log.ts';

test.each([
  ['the same error', ['away', 'away', 'away'], 1],
  [
    'errors that name files by different numbers',
    ['base/5/16643: full', 'base/5/17724: full', 'base/5/16643: full'],
    1,
  ],
  ['different errors', ['away', 'refused', 'refused'], 2],
  ['errors with different numbers', ['status 401', 'status 503'], 2],
])('%s in a row: %o', (_, errors, expected) => {
  const lines: LogLine[] = [];
  const clock = new ManualClock();
  const failures = new FailureLog({ clock, log: (line) => void lines.push(line) });
  for (const error of errors) {
    failures.failed({ level: 'warn', message: 'not stored' }, new Error(error));
    clock.advance(1000);
  }
  expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(expected);
  expect(lines.map((line) => line.error)).toEqual(errors);
});
