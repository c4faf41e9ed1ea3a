import { expect, test } from 'vitest';
import { testTerminal } from '../../test/test-terminal.ts';
import { saveOrPrint } from './save-file.ts';

const content = 'a\x1b[2J\r\n';
async function* pieces() {
  yield new TextEncoder().encode(content);
}

test.each([
  ['a terminal', undefined, true, 'a\\x1b[2J\n'],
  ['a terminal that is to get every byte', '-', true, content],
  ['a pipe', undefined, false, content],
])('content goes to %s', async (_name, path, live, expected) => {
  const { terminal, out } = await testTerminal({ live });
  await saveOrPrint(terminal, path, pieces(), { flag: '--output' });
  expect(out()).toBe(expected);
});
