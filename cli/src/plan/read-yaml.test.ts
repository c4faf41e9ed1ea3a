import { en } from '@yagura/core/i18n/en/all';
import { createTranslator } from '@yagura/core/i18n/translator';
import { expect, test } from 'vitest';
import { type FileFault, readYaml } from './read-yaml.ts';

const t = createTranslator('en', en);

function read(text: string) {
  const faults: FileFault[] = [];
  const items = readYaml(text, 'file.yaml', 'scopes', faults, t);
  return { items, faults: faults.map(({ line, field }) => [line, field]) };
}

test.each([
  [
    'under their kind',
    'rules: []\n\nscopes:\n  - displayName: a\n  - displayName: b\n    thresholds:\n      warning: 1\n',
    3,
  ],
  [
    'in a list of one kind',
    '# scopes\n- displayName: a\n- displayName: b\n  thresholds:\n    warning: 1\n',
    1,
  ],
  [
    'as JSON',
    '\n{"scopes": [\n{"displayName": "a"},\n{"displayName": "b", "thresholds":\n{"warning": 1}}]}',
    2,
  ],
])('items %s have their lines', (_what, text, before) => {
  const { items, faults } = read(text);
  expect(faults).toEqual([]);
  expect(items.map(({ kind, fields }) => [kind, fields.displayName])).toEqual([
    ['scopes', 'a'],
    ['scopes', 'b'],
  ]);
  const [first, second] = items;
  expect([first!.lineOf(''), second!.lineOf('displayName')]).toEqual([before + 1, before + 2]);
  expect(second!.lineOf('thresholds.warning')).toBe(
    text.split('\n').findIndex((line) => line.includes('1')) + 1,
  );
  expect(second!.lineOf('remarks'), 'of what is not there, that of the item').toBe(before + 2);
});

test('a fault of an item leaves those of the other documents', () => {
  const { items, faults } = read('scopes:\n  - a\n  - displayName: b\n---\nrules: 1\n---\ntrue\n---\nx: [\n');
  expect(items.map(({ fields }) => fields)).toEqual([{ displayName: 'b' }]);
  expect(faults.slice(0, 3)).toEqual([
    [2, 'scopes'],
    [5, 'rules'],
    [1, undefined],
  ]);
  expect(faults.length).toBeGreaterThan(3);
});

test('many aliases are refused, whatever they would become', () => {
  const levels = Array.from(
    { length: 6 },
    (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level}, `.repeat(9)}]`,
  );
  expect(read(`a0: &a0 [x]\n${levels.join('\n')}`)).toEqual({ items: [], faults: [[1, undefined]] });
});
