// The clipboards of browser and desktop: which text is given, and when the desktop can paste it.
import { expect, test } from 'vitest';
import { DesktopClipboard } from './desktop-clipboard.ts';

function create() {
  const sent: string[] = [];
  const refused: string[] = [];
  const timers: (() => void)[] = [];
  const clipboard = new DesktopClipboard({
    send: (text) => void sent.push(text),
    onCopied: () => undefined,
    onRefused: (reason) => void refused.push(reason),
    later(callback) {
      timers.push(callback);
      return () => void timers.splice(timers.indexOf(callback), 1);
    },
  });
  const take = () => clipboard.receive({ type: 'clipboard-taken' });
  const copy = (text: string) => clipboard.receive({ type: 'clipboard', text, isLast: true });
  return { clipboard, sent, refused, timers, take, copy };
}

test('a text is given once while the desktop has it', async () => {
  const { clipboard, sent, timers, take, copy } = create();
  const first = clipboard.give('日本');
  take();
  expect(await first).toBe(true);
  expect(await clipboard.give('日本')).toBe(true);
  expect(sent).toEqual(['日本']);
  // Copied on the desktop: what the browser pasted before is the older one, but what is given is wanted now.
  copy('other');
  await clipboard.offer('日本');
  expect(sent).toHaveLength(1);
  const again = clipboard.give('日本');
  take();
  expect([await again, sent.length, timers.length]).toEqual([true, 2, 0]);
});

test('a text that the desktop does not take is not pasted', async () => {
  const { clipboard, sent, refused, timers } = create();
  const unavailable = clipboard.give('日本');
  clipboard.receive({ type: 'clipboard-refused', reason: 'unavailable' });
  expect(await unavailable).toBe(false);
  const ignored = clipboard.give('日本');
  for (const pass of timers.splice(0)) pass();
  expect(await ignored).toBe(false);
  const replaced = clipboard.give('東京');
  const last = clipboard.give('大阪');
  clipboard.receive({ type: 'clipboard-taken' });
  expect([await replaced, await last]).toEqual([false, true]);
  expect(await clipboard.give('x'.repeat(262_145))).toBe(false);
  expect([sent, refused]).toEqual([
    ['日本', '日本', '東京', '大阪'],
    ['unavailable', 'too-long'],
  ]);
});
