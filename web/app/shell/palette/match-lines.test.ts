import { expect, it } from 'vitest';
import { matchEntries } from './match-lines.ts';

const line = (text: string, kind = '') => ({ to: `/${text}`, text, kind });
const entries = [
  line('Create a rule', 'AlertHub'),
  line('Rules', 'AlertHub'),
  line('コアスイッチ', 'スコープ'),
  line('Rules', 'AlertHub'),
];

it.each([
  ['', ['Create a rule', 'Rules', 'コアスイッチ', 'Rules']],
  ['rule', ['Rules', 'Create a rule']],
  ['RULE create', ['Create a rule']],
  ['ｒｕｌｅｓ', ['Rules']],
  ['ｽｺｰﾌﾟ', ['コアスイッチ']],
  ['alerthub rules', ['Rules']],
  ['nothing', []],
])('%j finds %j', (inputValue, texts) => {
  expect(matchEntries(entries, inputValue).map(({ text }) => text)).toEqual(texts);
});
