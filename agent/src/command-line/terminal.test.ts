import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createInterpolator } from '@yagura/core/i18n/interpolator';
import { loadTranslations } from '@yagura/core/i18n/load-translations';
import { expect, test } from 'vitest';
import { createTerminal } from './terminal.ts';

test.each([
  ['secret' as const, 'Token?\u0020\n'],
  [undefined, expect.stringContaining('kst_typed')],
])('an answer that is %s on the screen', async (kind, shown) => {
  const [stdin, stdout, stderr] = [0, 1, 2].map(() => Object.assign(new PassThrough(), { isTTY: true }));
  let screen = '';
  stderr!.on('data', (chunk) => {
    screen += chunk;
  });
  const host = { ...{ stdin, stdout, stderr }, env: {} } as unknown as NodeJS.Process;
  const t = createInterpolator('en', await loadTranslations('en'));
  const terminal = createTerminal(host, { language: 'en', t, signal: new AbortController().signal });
  const answer = terminal.ask('Token?', '--token-file', kind);
  stdin!.write('kst_typed\n');
  expect(await answer).toBe('kst_typed');
  await pause(20);
  expect(screen).toEqual(shown);
});
