import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadTranslations, loadTranslator } from '@yagura/core/i18n/load-translations';
import { describe, expect, test } from 'vitest';
import { resources } from '../../resource/meta/resources.ts';
import { actionsOf } from '../state/resource-actions.ts';
import { keyLabel } from '../views/render-overlay.ts';
import { type KeyScope, keyActionFor, keyBindings, keyBindingsIn } from './key-bindings.ts';

const scopes: KeyScope[] = ['home', 'list', 'sheet', 'stream'];

describe.each(scopes)('in the scope %s', (scope) => {
  test('a key has one meaning', () => {
    const keys = keyBindingsIn(scope).flatMap((entry) => entry.keys);
    expect(new Set(keys).size).toBe(keys.length);
    for (const entry of keyBindingsIn(scope))
      for (const key of entry.keys) expect(keyActionFor(key, scope)).toBe(entry.action);
  });

  test('there is a way out, and help', () => {
    const actions = keyBindingsIn(scope).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['quit', 'help', 'command']));
  });
});

test.each(['en', 'ja'] as const)(
  'every key, and every action that is no call, has its words in %s',
  async (language) => {
    const words = await loadTranslations(language);
    const wanted = [
      ...keyBindings.flatMap(({ labelKey, hintKey }) => [labelKey, ...(hintKey ? [hintKey] : [])]),
      ...resources.flatMap((meta) =>
        actionsOf(meta)
          .filter(({ operation }) => operation !== 'call')
          .map(({ name }) => `tui.act.${name}`),
      ),
    ];
    expect(wanted.filter((word) => !Object.hasOwn(words, word))).toEqual([]);
  },
);

/** Words of the table of keys that the program itself does not show. */
const manuals = {
  en: {
    path: 'docs/terminal.md',
    head: '|  | Key | What it does | Where |',
    places: { everywhere: 'everywhere', home: 'home', list: 'list', sheet: 'details', stream: 'stream' },
    separator: ', ',
  },
  ja: {
    path: 'docs/ja/terminal.md',
    head: '|  | キー | 動作 | 画面 |',
    places: {
      everywhere: 'すべて',
      home: 'ホーム',
      list: '一覧',
      sheet: '詳細',
      stream: 'ライブ表示',
    },
    separator: '、',
  },
};

test.each(['en', 'ja'] as const)('the manual has the table of keys in %s', async (language) => {
  const { path: page, head, places, separator } = manuals[language];
  const path = fileURLToPath(new URL(`../../../../${page}`, import.meta.url));
  const was = readFileSync(path, 'utf8');
  const t = await loadTranslator(language);
  const rows = keyBindings.map(({ keys, labelKey, danger, scopes: where }) => {
    const names = keys.map((key) => `\`${keyLabel(key, t)}\``).join(' ');
    const place = (where ?? (['everywhere'] as const)).map((scope) => places[scope]).join(separator);
    return `| ${danger ? '!' : ''} | ${names} | ${t(labelKey)} | ${place} |`;
  });
  const table = [head, '|---|---|---|---|', ...rows].join('\n');
  const is = was.replace(
    /(<!-- keys:.*-->\n)[\s\S]*(<!-- end of keys -->)/,
    (_all, start, end) => `${start}${table}\n${end}`,
  );
  if (process.env.YAGURA_UPDATE_DOCS === '1') writeFileSync(path, is);
  expect(process.env.YAGURA_UPDATE_DOCS === '1' ? is : was).toBe(is);
  expect(is).toContain('Ctrl-Z');
});
