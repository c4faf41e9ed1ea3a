import { describe, expect, test } from 'vitest';
import { readBashLine } from './bash-line.ts';

/** The default of bash. */
const wordBreaks = ' \t\n"\'@><=;|&(:';
const read = (line: string) => readBashLine(line, wordBreaks);

test.each([
  ['yagura scopes  show ', ['yagura', 'scopes', 'show', '']],
  ['yagura', ['yagura']],
  ['yagura show Mail\\ gate', ['yagura', 'show', 'Mail gate']],
  ['yagura show "Mail gate', ['yagura', 'show', 'Mail gate']],
  ["yagura show 'Mail \\gate' x", ['yagura', 'show', 'Mail \\gate', 'x']],
  ['yagura show "a\\"b\\$c\\d"', ['yagura', 'show', 'a"b$c\\d']],
  ['yagura show "" x', ['yagura', 'show', '', 'x']],
  ['yagura list --scope=a:b', ['yagura', 'list', '--scope=a:b']],
  ['yagura show a\\', ['yagura', 'show', 'a']],
])('%j has the words %j', (line, words) => expect(read(line).words).toEqual(words));

describe('bash inserts', () => {
  test.each([
    ['yagura show ', 'Mail gateway', 'Mail\\ gateway'],
    ['yagura show Mail\\ g', 'Mail gateway', 'Mail\\ gateway'],
    ['yagura show "Mail g', 'Mail gateway', 'Mail gateway'],
    ["yagura show 'Bob", "Bob's slot", "Bob'\\''s slot"],
    ['yagura show Bob', "Bob's slot", "Bob\\'s\\ slot"],
    ['yagura show "cost', 'cost $HOME `x` "y" \\', 'cost \\$HOME \\`x\\` \\"y\\" \\\\'],
    ['yagura show s', 'semi;rm *? ~ #', 'semi\\;rm\\ \\*\\?\\ \\~\\ \\#'],
    ['yagura show 東', '東京 監視', '東京\\ 監視'],
    // After a word break that is neither quoted nor escaped, only the rest is replaced.
    ['yagura show prod:e', 'prod:eu:web', 'eu:web'],
    ['yagura show "prod:e', 'prod:eu:web', 'prod:eu:web'],
    ['yagura show prod\\:e', 'prod:eu:web', 'prod:eu:web'],
    ['yagura list --scope=Ma', '--scope=Mail gateway', 'Mail\\ gateway'],
    ['yagura list --scope="Ma', '--scope=Mail gateway', 'Mail gateway'],
    ['yagura users show ann@e', 'ann@example.com', 'example.com'],
    // A quote that is closed already belongs to what is replaced.
    ['yagura show "Mail "g', 'Mail gateway', 'Mail\\ gateway'],
    ['yagura show a:"b "c', 'a:b cd', 'b\\ cd'],
  ])('after %j for %j: %j', (line, candidate, expected) => {
    expect(read(line).toInsertion(candidate)).toBe(expected);
  });
});
