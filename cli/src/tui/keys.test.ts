import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadTranslations, loadTranslator } from '@yagura/core/words/dictionary';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../resource/catalogue.ts';
import { actionsOf } from './actions.ts';
import { keyName } from './draw-overlay.ts';
import { actOf, keysIn, keyTable, type Room } from './keys.ts';

const rooms: Room[] = ['home', 'list', 'sheet', 'stream'];

describe.each(rooms)('in the room %s', (room) => {
  test('a key has one meaning', () => {
    const keys = keysIn(room).flatMap((entry) => entry.keys);
    expect(new Set(keys).size).toBe(keys.length);
    for (const entry of keysIn(room)) for (const key of entry.keys) expect(actOf(key, room)).toBe(entry.act);
  });

  test('there is a way out, and help', () => {
    const acts = keysIn(room).map(({ act }) => act);
    expect(acts).toEqual(expect.arrayContaining(['quit', 'help', 'command']));
  });
});

test.each(['en', 'ja'] as const)(
  'every key, and every action that is no call, has its words in %s',
  async (language) => {
    const words = await loadTranslations(language);
    const wanted = [
      ...keyTable.flatMap(({ word, hint }) => [word, ...(hint ? [hint] : [])]),
      ...catalogue.flatMap((meta) =>
        actionsOf(meta)
          .filter(({ way }) => way !== 'call')
          .map(({ name }) => `tui.act.${name}`),
      ),
    ];
    expect(wanted.filter((word) => !Object.hasOwn(words, word))).toEqual([]);
  },
);

test('the manual has the table of keys', async () => {
  const path = fileURLToPath(new URL('../../../docs/terminal.md', import.meta.url));
  const was = readFileSync(path, 'utf8');
  const [en, ja] = await Promise.all([loadTranslator('en'), loadTranslator('ja')]);
  const rows = keyTable.map(({ keys, word, danger, rooms: where }) => {
    const names = keys.map((key) => `\`${keyName(key, en)}\``).join(' ');
    return `| ${danger ? '!' : ''} | ${names} | ${en(word)} | ${ja(word)} | ${(where ?? ['everywhere']).join(', ')} |`;
  });
  const table = ['|  | Key | What it does | 動作 | Where |', '|---|---|---|---|---|', ...rows].join('\n');
  const is = was.replace(
    /(<!-- keys:.*-->\n)[\s\S]*(<!-- end of keys -->)/,
    (_all, start, end) => `${start}${table}\n${end}`,
  );
  if (process.env.YAGURA_UPDATE_DOCS === '1') writeFileSync(path, is);
  expect(process.env.YAGURA_UPDATE_DOCS === '1' ? is : was).toBe(is);
  expect(is).toContain('Ctrl-Z');
});
