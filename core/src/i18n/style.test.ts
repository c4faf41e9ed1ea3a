// Checks the texts of both languages against docs/style-english.md and docs/style-japanese.md.
import { expect, test } from 'vitest';
import { agent as agentEn } from './en/agent.ts';
import { call as callEn } from './en/call.ts';
import { card as cardEn } from './en/card.ts';
import { cli as cliEn } from './en/cli.ts';
import { external as externalEn } from './en/external.ts';
import { factor as factorEn } from './en/factor.ts';
import { format as formatEn } from './en/format.ts';
import { mail as mailEn } from './en/mail.ts';
import { mailIn as mailInEn } from './en/mail-in.ts';
import { notice as noticeEn } from './en/notice.ts';
import { plan as planEn } from './en/plan.ts';
import { problem as problemEn } from './en/problem.ts';
import { rules as rulesEn } from './en/rules.ts';
import { signin as signinEn } from './en/signin.ts';
import { tui as tuiEn } from './en/tui.ts';
import { verb as verbEn } from './en/verb.ts';
import { ja as allJa } from './ja/all.ts';
import type { Translations } from './translator.ts';

/** Files whose texts are checked; the others still have older texts. The texts of the console write code-like placeholders with spaces around them. */
const english: Translations = {
  ...agentEn,
  ...callEn,
  ...cardEn,
  ...cliEn,
  ...externalEn,
  ...factorEn,
  ...formatEn,
  ...mailEn,
  ...mailInEn,
  ...noticeEn,
  ...planEn,
  ...problemEn,
  ...rulesEn,
  ...signinEn,
  ...tuiEn,
  ...verbEn,
};
const japanese: Translations = Object.fromEntries(
  Object.keys(english).map((key) => [key, allJa[key as keyof typeof allJa]]),
);

/** Hints of keys are separated by two spaces, and preformatted texts are indented. */
const isPreformatted = (key: string, text: string) => key.startsWith('tui.hint.') || /\n {2}/.test(text);

/** Words of the left column of the tables in docs/style-english.md. */
const bannedInEnglish: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:anew|under way|given up|gave up|whoever|somebody|nobody|people|persons?)\b/i,
    'user, in progress, failed',
  ],
  [/\b(?:tells?|told)\b/i, 'notify, email'],
  [/\bgoes on\b|\bgo on\b/i, 'continue'],
  [/\blog(?:ged)? (?:in|out)\b|\blogin\b(?! URL)/i, 'sign in, sign out'],
  [/\b(?:colour|grey|neighbour|behaviour|cancell(?:ed|ing)|licence|recognise)/i, 'American spelling'],
  [/\be-mail|\bmails?\b(?! server)/i, 'email'],
  [/\bplease\b|\w!/i, 'no "please", no exclamation mark'],
  [/\bset-up\b/i, 'setup, set up'],
  [/\bwhole number/i, 'integer'],
  [/\b(?:Id|id)\b/, 'ID'],
  [/\(s\)/, 'plural forms'],
];

const bannedInJapanese: readonly (readonly [RegExp, string])[] = [
  [/静音|消音/, 'ミュートスケジュール'],
  [/発火/, '実行'],
  [
    /ユーザ(?!ー)|サーバ(?!ー)|フォルダ(?!ー)|ブラウザ(?!ー)|ヘッダ(?!ー)|トリガ(?!ー)|エラ(?!ー)/,
    'long vowel mark',
  ],
  [/あなた|(?<!お)それ(?!ぞれ|まで|以降)|お手数|ください！/, 'no translationese, no filler'],
  [/[Ａ-Ｚａ-ｚ０-９]|[ｦ-ﾟ]/, 'half-width letters and digits, full-width katakana'],
  [/[！，．：～]/, '! , . : 〜'],
  [/\.\.\./, '…'],
  [/下さい|出来る|全て|又は|及び/, 'kana'],
  [/ログイン|ログアウト/, 'サインイン、サインアウト'],
  [/二段階認証|2段階認証/, '多要素認証'],
  [/不正|間違/, 'no blame'],
];

/** Placeholders for literal text (flags, paths, names of fields), which keep a space around them. */
const literals =
  'address|argument|close|code|email|element|field|fields|file|flag|flags|folder|here|id|identity|kind|name|names|origin|path|permission|permissions|profile|question|resource|resources|roles|source|text|url|variable|what|word|words';
const wide = '[\\u3001-\\u30ff\\u3400-\\u9fff\\uff01-\\uff5e]';
/** Commands, flags, paths, code, environment variables and keys. */
const codeBefore = new RegExp(
  `(?:\`|\\{\\{(?:${literals})\\}\\}|(?:^|[ （(])-|--[a-z-]+|[a-z0-9_]+|[A-Z]+_[A-Z_]+|\\{ \\$env: [^ ]+ \\}|[@#][^ ]*|#!|:[^ ]*|https?://|-|YYYY|=|[^}] \\})$`,
);
const codeAfter = new RegExp(
  `^(?:\`|\\{\\{(?:${literals})\\}\\}|-|[a-z]|[0-9]+[a-z]|[0-9]{3,4}[-、]|[A-Z]+_[A-Z_]+|\\{ |@|#|\\+[0-9]|/|\\} |https?://)`,
);

function spacingFaults(text: string): string[] {
  const faults: string[] = [];
  for (const match of text.matchAll(new RegExp(`(${wide}) ([\\x21-\\x7e])`, 'g'))) {
    const after = text.slice(match.index + 2);
    if (!codeAfter.test(after)) faults.push(text.slice(Math.max(0, match.index - 5), match.index + 12));
  }
  for (const match of text.matchAll(new RegExp(`([\\x21-\\x7e]) (${wide})`, 'g'))) {
    const before = text.slice(0, match.index + 1);
    // A colon before a value has a space after it.
    if (before.endsWith(':') || codeBefore.test(before)) continue;
    faults.push(text.slice(Math.max(0, match.index - 10), match.index + 7));
  }
  return faults;
}

/** Texts that break a rule, with the place. */
function faultsIn(texts: Translations, find: (text: string, key: string) => string | undefined): string[] {
  return Object.entries(texts).flatMap(([key, text]) => {
    const fault = find(text, key);
    return fault === undefined ? [] : [`${key}: ${fault}: ${text}`];
  });
}

const bannedWord = (rules: readonly (readonly [RegExp, string])[]) => (text: string) => {
  // Commands are quoted as they are.
  const plain = text.replace(/yagura(?:-server|-agent)? [a-z ]+|`[^`]*`|\{\{\w+\}\}|https?:\/\/\S*/g, '');
  const rule = rules.find(([word]) => word.test(plain));
  return rule && `write ${rule[1]}`;
};

/** The specification gives these word for word. */
const given = ['rule.select', 'text.error-detail'];

test('English uses one term for one thing', () => {
  const ours = Object.fromEntries(Object.entries(english).filter(([key]) => !given.includes(key)));
  expect(faultsIn(ours, bannedWord(bannedInEnglish))).toEqual([]);
});

test('Japanese uses one term for one thing', () => {
  expect(faultsIn(japanese, bannedWord(bannedInJapanese))).toEqual([]);
});

test.each([
  ['English', english],
  ['Japanese', japanese],
])('%s has no double spaces and no spaces at the ends', (_, texts) => {
  const faults = faultsIn(texts, (text, key) => {
    if (isPreformatted(key, text)) return undefined;
    if (/ {2}/.test(text)) return 'double space';
    return /^ (?!\()|[^:,r] $/.test(text) && !/^ (?:または|or) $/.test(text) && text !== ' '
      ? 'space at an end'
      : undefined;
  });
  expect(faults).toEqual([]);
});

test('a and an fit the word that follows', () => {
  const faults = faultsIn(english, (text) => {
    const found =
      /\ba (?:[aeio]|un(?!i)|API\b|IP\b|IPv|ISO\b|RFC\b|SSH\b|HTML\b|HTTP\b|MX\b)\w*/i.exec(text) ??
      /\ban (?:[bcdfgjklmnpqstvwyz]|user|usage|URL\b|UUID\b|one\b)(?!FC|SH|X\b|TTP)\w*/i.exec(text);
    return found ? `"${found[0]}"` : undefined;
  });
  expect(faults).toEqual([]);
});

test('an article before a placeholder is not possible', () => {
  expect(faultsIn(english, (text) => /\b(an?) \{\{/i.exec(text)?.[0])).toEqual([]);
});

test('a count before a plural noun has plural forms', () => {
  const faults = faultsIn(english, (text, key) => {
    if (/_(?:one|other)$/.test(key)) return undefined;
    // A limit, such as the characters of a password or the minutes of a link, is never 1.
    const found = /\{\{count\}\} (?:more |failed )?[a-z]+s\b/.exec(text)?.[0];
    return found && !atLeastTwo.has(key) ? found : undefined;
  });
  expect(faults).toEqual([]);
});

/** Texts whose count is a constant above 1. */
const atLeastTwo: ReadonlySet<string> = new Set([
  'card.password-rule',
  'card.name-rule',
  'factor.remember',
  'tui.copied.many',
]);

test('plural forms come in pairs with the right number', () => {
  for (const key of Object.keys(english)) {
    const [, stem, form] = /^(.*)_(one|other)$/.exec(key) ?? [];
    if (stem) expect(english, key).toHaveProperty([`${stem}_${form === 'one' ? 'other' : 'one'}`]);
    if (form === 'one')
      expect(english[key]).not.toMatch(/\{\{count\}\} (?:more |failed delivery )?[a-z]+[^s\W]s\b/);
    if (stem && form === 'one') expect(japanese[key]).toBe(japanese[`${stem}_other`]);
  }
});

test('several English sentences all end with a period', () => {
  const faults = faultsIn(english, (text) => {
    const sentences = /[.?] [A-Z]/.test(text.replace(/\b(?:e\.g|i\.e)\. /g, ''));
    return sentences && !/(?:[.?:…]|\}\}|\n|URL|FILE|--help|#!|: yagura [^.]*)\)?$/.test(text)
      ? 'no period at the end'
      : undefined;
  });
  expect(faults).toEqual([]);
});

test('several Japanese sentences all end with 。', () => {
  const faults = faultsIn(japanese, (text) => {
    const sentences = /。./.test(text);
    return sentences && !/(?:[。？:…]|\}\}|\n|必要|入力:|login URL|setup|--help|保存先)）?$/.test(text)
      ? 'no 。 at the end'
      : undefined;
  });
  expect(faults).toEqual([]);
});

test('Japanese has no space between full-width and half-width text', () => {
  const faults = faultsIn(japanese, (text, key) => {
    if (isPreformatted(key, text)) return undefined;
    const [fault] = spacingFaults(text);
    return fault;
  });
  expect(faults).toEqual([]);
});

test('Japanese has full-width parentheses and question marks', () => {
  const faults = faultsIn(japanese, (whole) => {
    // The address of a Markdown link is in half-width parentheses.
    const text = whole.replace(/\]\([^)]*\)/g, ']');
    if (new RegExp(`${wide}\\?`).test(text)) return 'half-width question mark';
    return new RegExp(`[（(][^（()）]*${wide}[^（()）]*\\)|\\([^（()）]*${wide}|${wide} ?\\(`).test(text)
      ? 'half-width parentheses'
      : undefined;
  });
  expect(faults).toEqual([]);
});

test('both languages have the same placeholders', () => {
  const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();
  for (const [key, text] of Object.entries(english))
    expect([...new Set(placeholders(japanese[key]!))], key).toEqual([...new Set(placeholders(text))]);
});
