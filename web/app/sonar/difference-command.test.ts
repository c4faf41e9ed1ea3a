// The command to copy, whose parts come from the URL.
import { expect, test } from 'vitest';
import { differenceCommand } from './difference-command.server.ts';

test('compares with the snapshot before, or with a given one', () => {
  expect(differenceCommand('n', 's', '', undefined)).toBe('yagura sonar diff n s');
  expect(differenceCommand('n', 's', 'b', undefined)).toBe('yagura sonar diff n s b');
});

test('quotes what a shell would run', () => {
  expect(differenceCommand('n', 's', 'b; rm -rf ~ $(id)', undefined)).toBe(
    "yagura sonar diff n s 'b; rm -rf ~ $(id)'",
  );
});

test('has the filter of the page', () => {
  expect(differenceCommand('n', 's', 'b', 'entry eq "it\'s"')).toBe(
    `yagura sonar diff n s b --filter 'entry eq "it'\\''s"'`,
  );
});
