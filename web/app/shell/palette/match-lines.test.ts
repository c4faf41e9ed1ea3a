import { expect, it } from 'vitest';
import { matchEntries } from './match-lines.ts';

const line = (text: string, kind = '') => ({ to: `/${text}`, text, kind });
const entries = [
  line('Rules of 2024', 'Recent'),
  line('Create a rule', 'AlertHub'),
  line('Rules', 'AlertHub'),
  line('コアスイッチ', 'スコープ'),
  line('Rules', 'AlertHub'),
];

it.each([
  ['', ['Rules of 2024', 'Create a rule', 'Rules', 'コアスイッチ', 'Rules']],
  ['rule', ['Rules of 2024', 'Rules', 'Create a rule']],
  ['RULE create', ['Create a rule']],
  ['ｒｕｌｅｓ', ['Rules', 'Rules of 2024']],
  ['ｽｺｰﾌﾟ', ['コアスイッチ']],
  ['alerthub rules', ['Rules']],
  ['nothing', []],
])('%j finds %j', (inputValue, texts) => {
  expect(matchEntries(entries, inputValue).map(({ text }) => text)).toEqual(texts);
});
