import type { Language } from '@yagura/core/words/translate';
import { beforeAll, describe, expect, test } from 'vitest';
import { testTerminal } from '../../test/terminal.ts';
import { type Measure, wideMeasure } from '../term/measure.ts';
import { styled } from '../term/style.ts';
import { type Brush, frame, windowStart, wrapped } from './frame.ts';
import { next } from './reducer.ts';
import { type DetailLine, initialState, type State } from './state.ts';

const now = Date.parse('2026-01-31T09:00:00Z');
let measure: Measure;
beforeAll(async () => {
  measure = await wideMeasure();
});

async function brush(language: Language, paint: Brush['paint'] = (_style, text) => text): Promise<Brush> {
  const { terminal } = await testTerminal({ language });
  return {
    presenter: { language, t: terminal.t, timeZone: 'UTC', names: new Map(), exact: true },
    measure,
    paint,
  };
}

const rows = [
  ['incident', 'データベース 監視', 12, '2026-01-31T08:57:00Z'],
  ['warning', 'web-front', 1, '2026-01-31T07:00:00Z'],
  ['normal', '\x1b[2Jevil\nname', 0, null],
] as const;

function loaded(columns: number, lines: number): State {
  const items = rows.map(([status, displayName, severity, lastEventAt], index) => ({
    id: String(index),
    row: { status, displayName, severity, lastEventAt },
    search: displayName.toLowerCase(),
  }));
  return next(initialState({ columns, rows: lines }, now), {
    type: 'loaded',
    target: { view: 'scopes' },
    loaded: { kind: 'list', items, total: 3, counts: { incident: 1, warning: 1, normal: 1 } },
    at: now,
  });
}

const detailLines: DetailLine[] = [
  { depth: 0, text: 'Scope: x' },
  { depth: 3, text: '長い文章がここに続きます '.repeat(4), style: 'danger' },
  { depth: 9, text: 'x'.repeat(500), link: { view: 'messages', id: 'm' } },
  { depth: 0, text: '' },
];

function inDetail(columns: number, lines: number): State {
  const state = next(loaded(columns, lines), { type: 'key', key: 'enter' });
  return next(state, {
    type: 'loaded',
    target: { view: 'scopes', id: '0' },
    loaded: { kind: 'detail', title: 'データベース', lines: detailLines },
    at: now,
  });
}

test('a list at 80x10 in English', async () => {
  expect(frame(loaded(80, 10), await brush('en')).join('\n')).toMatchInlineSnapshot(`
    "[Scopes] Messages                                1 Incident  1 Warning  1 Normal
      Status    Name               Severity  Last event                             
    > Incident  データベース 監視        12  3 min ago 
      Warning   web-front                 1  2 h ago   
      Normal    \\x1b[2Jevil name          0  -         



    1/3 of 3  ? keys  / filter  tab view  q quit                                    "
  `);
});

test('a list at 60x8 in Japanese', async () => {
  expect(frame(loaded(60, 8), await brush('ja')).join('\n')).toMatchInlineSnapshot(`
    "[スコープ] メッセージ                 1 異常  1 警告  1 正常
      状態  名前               深刻度  最終イベント             
    > 異常  データベース 監視      12  3 分前      
      警告  web-front               1  2 時間前    
      正常  \\x1b[2Jevil name        0  -           

    1/3 (全 3 件)  ? キー操作  / 絞り込み  tab 表示切替  q 終了 "
  `);
});

describe.each(['en', 'ja'] as const)('in %s', (language) => {
  const states: [string, (columns: number, lines: number) => State][] = [
    ['before the first answer', (columns, lines) => initialState({ columns, rows: lines }, now)],
    ['a list', loaded],
    ['a detail', inDetail],
    ['the help', (columns, lines) => next(loaded(columns, lines), { type: 'key', key: '?' })],
    ['a question', (columns, lines) => next(loaded(columns, lines), { type: 'key', key: 'R' })],
    [
      'an empty filter',
      (columns, lines) =>
        [...'/zzz'].reduce((state, key) => next(state, { type: 'key', key }), loaded(columns, lines)),
    ],
    [
      'a lost connection',
      (columns, lines) =>
        next(loaded(columns, lines), { type: 'failed', target: { view: 'scopes' }, reason: 'gone\x1b[2J' }),
    ],
  ];
  test.each(states)('%s fits any screen', async (_name, state) => {
    const plain = await brush(language);
    const colourful = await brush(language, styled);
    for (const [columns, lines] of [
      [1, 1],
      [2, 2],
      [5, 3],
      [20, 5],
      [40, 10],
      [79, 24],
      [120, 40],
      [200, 60],
    ] as const) {
      const shown = frame(state(columns, lines), plain);
      expect(shown.length).toBe(Math.max(1, lines - 1));
      for (const line of shown) {
        expect(measure.width(line), `${columns}x${lines}: ${line}`).toBeLessThanOrEqual(columns);
        expect(line).not.toMatch(/[\x00-\x1f\x7f]/);
      }
      const bare = frame(state(columns, lines), colourful).map((line) => line.replace(/\x1b\[\d+m/g, ''));
      expect(bare).toEqual(shown);
    }
  });
});

test('the age of what is shown is told when the connection is lost', async () => {
  const state = next(loaded(80, 10), {
    type: 'failed',
    target: { view: 'scopes' },
    reason: 'The server cannot be reached',
  });
  const later = next(state, { type: 'tick', now: now + 65_000 });
  expect(
    frame(later, await brush('en'))
      .at(-1)
      ?.trimEnd(),
  ).toBe('No answer (shown: 1 min ago): The server cannot be reached');
  expect(frame(later, await brush('en'))[2]).toContain('データベース');
});

test.each([
  [0, 5, 3, 0],
  [0, 5, 100, 0],
  [50, 5, 100, 48],
  [99, 5, 100, 95],
  [4, 10, 5, 0],
])('with the cursor at %i, %i rows of %i start at %i', (cursor, room, total, start) => {
  expect(windowStart(cursor, room, total)).toBe(start);
});

test.each([
  ['a bc def', 4, ['a bc', 'def']],
  ['abcdefgh', 3, ['abc', 'def', 'gh']],
  ['日本語', 4, ['日本', '語']],
  ['日本語', 1, ['…', '…', '…']],
  ['日本語', 3, ['日', '本', '語']],
  ['', 5, ['']],
])('%s in %i columns', async (text, room, lines) => {
  expect(wrapped(text, room, await wideMeasure())).toEqual(lines);
});
