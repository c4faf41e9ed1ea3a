import { expect, test } from 'vitest';
import { testTerminal } from '../../test/test-terminal.ts';
import { confirm, isYes } from './prompt.ts';
import { CancelledError } from './report-error.ts';
import { UsageError } from './usage-error.ts';

test.each([
  ['y', true],
  [' Yes ', true],
  ['はい', true],
  ['', false],
  ['n', false],
  ['yesterday', false],
  ['no yes', false],
])('the answer %j is a yes: %s', (answer, expected) => {
  expect(isYes(answer)).toBe(expected);
});

test('only a yes confirms', async () => {
  const ask = async (input: string) => {
    const { terminal } = await testTerminal({ live: true, input });
    return confirm(terminal, 'Delete?', undefined);
  };
  await ask('y\n');
  await expect(ask('n\n')).rejects.toThrow(CancelledError);
  await expect(ask('\n')).rejects.toThrow(CancelledError);
  await expect(ask('')).rejects.toThrow(CancelledError);
});

test('without a person to ask, the flag confirms', async () => {
  const { terminal } = await testTerminal({ live: false, input: 'y\n' });
  await expect(confirm(terminal, 'Delete?', undefined)).rejects.toThrow(UsageError);
  await confirm(terminal, 'Delete?', true);
});
