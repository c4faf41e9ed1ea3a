import { describe, expect, test } from 'vitest';
import { compareTranslation } from './compare-translation.mjs';

const english = `# Guide

[日本語](ja/guide.md)

## First steps
Run \`yagura plan\`, see [files](#files) and [all commands](commands/README.md).

- one
- two

\`\`\`sh
yagura plan config   # show the changes
yagura create --name "Shop"
\`\`\`

## Files
| Name | Meaning |
| --- | --- |
| \`a\` | see [other](other.md#first-heading), [decision](decisions/0001.md) |

<!-- keys: generated -->
| \`Down\` |
<!-- end of keys -->
`;
const japanese = `# ガイド

[English](../guide.md)

## はじめに
\`yagura plan\` を実行します。[ファイル](#ファイル)と[すべてのコマンド](../commands/ja/README.md)を参照してください。

- 1つ目
- 2つ目

\`\`\`sh
yagura plan config   # 変更を表示
yagura create --name "ショップ"
\`\`\`

## ファイル
| 名前 | 意味 |
| --- | --- |
| \`a\` | [ほかのページ](other.md#最初の見出し)、[設計判断](../decisions/0001.md)を参照 |

<!-- keys: generated -->
| \`下\` |
| \`上\` |
<!-- end of keys -->
`;
const pages = {
  'docs/other.md': '# Other\n\n## First heading\n',
  'docs/ja/other.md': '# ほか\n\n## 最初の見出し\n',
};
const compare = (original, translation) => {
  const all = { ...pages, 'docs/guide.md': original, 'docs/ja/guide.md': translation };
  return compareTranslation('guide.md', (path) => all[path]);
};

test('a translation with comments, quoted texts and generated parts of its own is complete', () => {
  expect(compare(english, japanese)).toEqual([]);
});

describe('a translation differs', () => {
  test.each([
    ['without a section', /\n## ファイル\n/, '\n', 'has the headings # ##, docs/guide.md has # ## ##'],
    ['with a section of another level', '## ファイル', '### ファイル', 'has the headings # ## ###'],
    ['without an item of a list', '- 2つ目\n', '', 'has 1 listItems in "はじめに"'],
    ['without a row of a table', '| --- | --- |\n', '', 'has 2 tableRows in "ファイル"'],
    ['without a block of code', /```[\s\S]*```\n/, '', 'has 0 blocks of code, docs/guide.md has 1'],
    ['with an old command', 'yagura plan config', 'yagura plan', 'has the code "yagura plan", docs'],
    ['without a command', 'yagura create --name "ショップ"\n', '', 'has the code "", docs'],
    ['without code in its text', '`yagura plan`', '計画', 'lacks `yagura plan`'],
    ['with other code in its text', '`yagura plan`', '`yagura plan` `-x`', 'has `-x`, which'],
    ['without a link', '[ファイル](#ファイル)', 'ファイル', 'lacks the link #ファイル'],
    [
      'with a link to an English page',
      '(other.md#最初の見出し)',
      '(../other.md)',
      'has the link ../other.md',
    ],
    [
      'with an old fragment',
      'other.md#最初の見出し',
      'other.md#見出し',
      'lacks the link other.md#最初の見出し',
    ],
    ['without a link to its original', '[English](../guide.md)', '', 'no link to its original'],
  ])('%s', (_how, part, replacement, problem) => {
    const changed = japanese.replace(part, replacement);
    expect(changed).not.toBe(japanese);
    expect(compare(english, changed).join('\n')).toContain(problem);
  });
});

test('the original links to its translation', () => {
  expect(compare(english.replace('[日本語](ja/guide.md)', ''), japanese)).toEqual([
    'docs/guide.md has no link to its translation.',
  ]);
});
