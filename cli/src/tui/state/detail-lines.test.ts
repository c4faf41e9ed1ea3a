import { expect, test } from 'vitest';
import { detailLines, textLines } from './detail-lines.ts';
import { type DetailView, detailView } from './state.ts';

const row = { displayName: 'web', tags: ['a', 'b'] };
const line = { key: 'displayName', depth: 0, label: 'Name', text: 'web' };
const view = (more: Partial<DetailView>): DetailView => ({
  ...detailView({ kind: 'item', resource: 'scope', params: {}, id: 's' }, 'web'),
  detail: { lines: [line], tables: [] },
  row,
  ...more,
});
const texts = (lines: readonly { text: string }[]) => lines.map(({ text }) => text);

test('an item is shown as fields, YAML or JSON', () => {
  expect(detailLines(view({ format: 'fields' }))).toEqual([line]);
  expect(texts(detailLines(view({ format: 'yaml' })))).toEqual([
    'displayName: web',
    'tags:',
    '  - a',
    '  - b',
  ]);
  expect(texts(detailLines(view({ format: 'json' })))).toEqual([
    '{',
    '  "displayName": "web",',
    '  "tags": [',
    '    "a",',
    '    "b"',
    '  ]',
    '}',
  ]);
});

test('the same item is written once, and a newer one again', () => {
  const first = detailLines(view({ format: 'yaml' }));
  expect(detailLines(view({ format: 'yaml' }))).toBe(first);
  expect(texts(detailLines(view({ format: 'yaml', row: { displayName: 'db' } })))).toEqual([
    'displayName: db',
  ]);
});

test('without an item there are its fields alone, and nothing before they are loaded', () => {
  expect(detailLines(view({ format: 'yaml', row: undefined }))).toEqual([line]);
  expect(detailLines(view({ row: undefined, detail: undefined }))).toEqual([]);
});

test('a text is cut into lines, long ones at 400 characters, at most 2000 of them', () => {
  expect(textLines('a\nb\n\n', 'key', 2)).toEqual([
    { key: 'key:0', depth: 2, text: 'a' },
    { key: 'key:1', depth: 2, text: 'b' },
  ]);
  expect(texts(textLines('x'.repeat(400), 'key', 0))).toEqual(['x'.repeat(400)]);
  expect(texts(textLines('x'.repeat(401), 'key', 0))).toEqual(['x'.repeat(400), 'x']);
  const all = Array.from({ length: 2001 }, (_, index) => `line ${index}`);
  expect(texts(textLines(all.join('\n'), 'key', 0))).toEqual(all.slice(0, 2000));
});
