import { expect, test } from 'vitest';
import { testTerminal } from '../../test/test-terminal.ts';
import { announceWaits } from './announce-wait.ts';

async function start(options: Parameters<typeof testTerminal>[0]) {
  const { terminal, err } = await testTerminal(options);
  let now = 0;
  const announce = announceWaits({ ...terminal, now: () => now });
  const at = (time: number) => {
    now = time;
    return announce;
  };
  return { at, err };
}

test('calls that wait at the same time are announced once, short waits never', async () => {
  const { at, err } = await start({});
  at(0)(999, 'unavailable');
  at(0)(5200, 'too-many-requests');
  at(100)(5300, 'too-many-requests');
  at(5200)(2000, 'unavailable');
  expect(err()).toBe(
    'Too many requests. Next attempt in 6 s.\nThe server is busy or cannot reach its database. Next attempt in 2 s.\n',
  );
});

test('on a terminal it takes the place of a line of progress', async () => {
  const { at, err } = await start({ live: true, language: 'ja' });
  at(0)(3000, 'too-many-requests');
  expect(err()).toBe('\r\x1b[2Kリクエストが多すぎます。3秒後に再試行します。\n');
});

test('programs that read JSON from stderr get nothing else', async () => {
  const { at, err } = await start({ jsonErrors: true });
  at(0)(3000, 'too-many-requests');
  expect(err()).toBe('');
});
