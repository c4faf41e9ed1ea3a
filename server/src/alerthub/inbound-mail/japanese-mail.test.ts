// Mails as Japanese senders produce them, byte by byte: charsets, charset names and common mistakes.
import { expect, test } from 'vitest';
import { decodeText } from './charset.ts';
import { decodeHeaderField } from './header-fields.ts';
import { parseHeaderParameters } from './header-parameters.ts';
import { parseMail } from './parse-mail.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const latin = (hex: string) => bytes(hex).toString('latin1');

const texts: [what: string, charset: string, hex: string, text: string][] = [
  ['ISO-2022-JP', 'ISO-2022-JP', '1b2442 2559 1b2842 41', 'ベA'],
  ['its older kanji set', 'iso-2022-jp', '1b2440 3441 1b284a', '漢'],
  ['NEC special characters in it', 'iso-2022-jp', '1b2442 2d21 2d6a 1b2842', '①㈱'],
  ['IBM extensions in it', 'iso-2022-jp', '1b2442 7c62 1b2842', '髙'],
  ['half-width kana by escape', 'iso-2022-jp', '1b2849 31 32 33 1b2842', 'ｱｲｳ'],
  ['half-width kana by shift', 'iso-2022-jp', '0e 31 32 0f 41', 'ｱｲA'],
  ['half-width kana by the eighth bit', 'iso-2022-jp', 'b1 b2 1b2442 2422 1b2842', 'ｱｲあ'],
  ['JIS X 0212', 'iso-2022-jp-1', '1b242844 3021 1b2842', '丂'],
  ['a line that forgot to go back', 'iso-2022-jp', '1b2442 2422 0a 41', 'あ\nA'],
  ['no Japanese character', 'iso-2022-jp', '41 00 7e 7f 09 0d0a 1b284a 5c 1b2842 42', 'A\0~\x7f\t\r\n\\B'],
  ['escapes that select nothing', 'iso-2022-jp', '1b28 41 1b 1b24 78', '\x1b(A\x1b\x1b$x'],
  ['CP50221', 'cp50221', '1b2442 2422 1b2842', 'あ'],
  ['Shift_JIS', 'Shift_JIS', '82a0 8abf', 'あ漢'],
  ['CP932 with NEC and IBM rows', 'cp932', '8740 878a fbfc fa5c', '①㈱髙纊'],
  ['Windows-31J', 'Windows-31J', '8740 8160', '①～'],
  ['the tail of a character that looks like a backslash', 'x-sjis', '955c 8e84', '表私'],
  ['EUC-JP', 'EUC-JP', 'a4a2 b4c1', 'あ漢'],
  ['EUC-JP with NEC rows and half-width kana', 'eucJP-ms', 'ada1 8eb1', '①ｱ'],
  ['CP51932', 'cp51932', 'ada1', '①'],
  ['UTF-8 by another name', 'utf8', 'e38182', 'あ'],
  ['nothing said, UTF-8', '', 'e38182', 'あ'],
  ['nothing said, ISO-2022-JP', '', '1b2442 2422 1b2842', 'あ'],
  ['nothing said, Shift_JIS', '', '8365 8358 8367 82cc 8e8e 8cb1', 'テストの試験'],
  ['nothing said, EUC-JP', 'us-ascii', 'a5c6 a5b9 a5c8 a4ce', 'テストの'],
  ['UTF-8 said, Shift_JIS meant', 'utf-8', '82a0 82a2 82a4', 'あいう'],
  ['Shift_JIS said, UTF-8 meant', 'shift_jis', 'e38182e38184efbc81', 'あい！'],
  ['a charset that nobody knows', 'x-nobody', 'e38182', 'あ'],
  ['Western letters', '', '63 61 66 e9', 'café'],
];
test.each(texts)('reads %s', (_what, charset, hex, text) => {
  expect(decodeText(bytes(hex), charset)).toBe(text);
});

const fields: [what: string, raw: string, text: string][] = [
  ['an encoded word', '=?ISO-2022-JP?B?GyRCJUYlOSVIGyhC?=', 'テスト'],
  ['words of one text, their blanks gone', '=?UTF-8?B?44OG44K5?= =?UTF-8?B?44OI?=', 'テスト'],
  ['a character split between two words', '=?UTF-8?B?44OG4w==?= =?UTF-8?B?grk=?=', 'テス'],
  ['base64 split within four letters', '=?UTF-8?B?44O?= =?UTF-8?B?G44K5?=', 'テス'],
  ['words without a blank between', '=?UTF-8?B?44OG?==?UTF-8?B?44K5?=', 'テス'],
  ['a word that was folded', '=?UTF-8?B?44OG\t44K5?=', 'テス'],
  ['quoted-printable with blanks as underlines', '=?utf-8?Q?=E3=83=86_a?=', 'テ a'],
  ['plain text around words', 'Re: =?UTF-8?B?44OG?= (2)', 'Re: テ (2)'],
  ['a word within quotes', '"=?UTF-8?B?44OG?="', '"テ"'],
  ['a language in the word', '=?UTF-8*ja?B?44OG?=', 'テ'],
  ['two charsets side by side', '=?UTF-8?B?44OG?= =?Shift_JIS?B?g1g=?=', 'テス'],
  ['half-width kana in a word', '=?ISO-2022-JP?B?GyhJMTIbKEI=?=', 'ｱｲ'],
  ['NEC characters in a Shift_JIS word', '=?Shift_JIS?B?h0CHig==?=', '①㈱'],
  ['raw Shift_JIS', `[${latin('8fe1 8a51')}]`, '[障害]'],
  ['raw EUC-JP', latin('bee3 b3b2 a4c7 a4b9'), '障害です'],
  ['raw ISO-2022-JP', latin('1b2442 3e63 3332 1b2842'), '障害'],
  ['raw UTF-8', latin('e99a9c e5aeb3'), '障害'],
  ['what only looks like a word', '=?utf-8?X?abc?= =?', '=?utf-8?X?abc?= =?'],
];
test.each(fields)('reads a field with %s', (_what, raw, text) => {
  expect(decodeHeaderField(raw)).toBe(text);
});

const names: [what: string, raw: string, name: string][] = [
  ['RFC 2231', "attachment; filename*=UTF-8''%E7%B5%90%E6%9E%9C.csv", '結果.csv'],
  ['RFC 2231 in Shift_JIS', "attachment; filename*=Shift_JIS'ja'%8C%8B%89%CA.csv", '結果.csv'],
  [
    'RFC 2231 in pieces',
    "a; filename*0*=UTF-8''%E7%B5; filename*1*=%90%E6%9E%9C; filename*2=.csv",
    '結果.csv',
  ],
  ['pieces out of order', "a; filename*1*=%9C.csv; filename*0*=UTF-8''%E7%B5%90%E6%9E", '結果.csv'],
  ['a plain name for old readers', 'a; filename="x.csv"; filename*=UTF-8\'\'%E7%B5%90.csv', '結.csv'],
  ['an encoded word', 'a; filename="=?UTF-8?B?57WQ5p6c?=.csv"', '結果.csv'],
  ['an encoded word in ISO-2022-JP', 'a; filename="=?ISO-2022-JP?B?GyRCN2syTBsoQg==?=.csv"', '結果.csv'],
  ['raw Shift_JIS', `a; filename="${latin('8c8b 89ca')}.csv"`, '結果.csv'],
  ['a semicolon in quotes', 'a; filename="a;b.csv"', 'a;b.csv'],
  ['escaped quotes', 'a; filename="a\\"b.csv"', 'a"b.csv'],
  ['no end of quotes', 'a; filename="a.csv', 'a.csv'],
];
test.each(names)('reads a file name as %s', (_what, raw, name) => {
  expect(parseHeaderParameters(raw).params.get('filename')).toBe(name);
});

test('takes format=flowed as one text, without its breaks where the sender says so', () => {
  const mail = (type: string) =>
    parseMail(
      Buffer.from(
        `Content-Type: text/plain; charset=utf-8; ${type}\r\n\r\nながい \r\n行\r\n> 引用 \r\n-- \r\nA`,
      ),
    );
  expect(mail('format=flowed; delsp=yes').mail.text).toBe('ながい行\n> 引用\n-- \nA');
  expect(mail('format=flowed').mail.text).toBe('ながい 行\n> 引用 \n-- \nA');
});

test('the sender is found beside names that no parser likes', () => {
  const from = (raw: string) => parseMail(Buffer.from(`From: ${raw}\n\nx`, 'latin1')).mail.from;
  expect(from('=?UTF-8?B?55uj6KaWLCDpg6g=?= <a@example.com>')).toEqual({
    name: '監視, 部',
    email: 'a@example.com',
  });
  expect(from(`${latin('955c 8e84')} <a@example.com>`)).toEqual({ name: '表私', email: 'a@example.com' });
  expect(from('a@example.com (cron)')).toMatchObject({ email: 'a@example.com' });
  expect(from('undisclosed:;')).toEqual({ name: '', email: '' });
});

test('the text of a mail in HTML alone is what its reader would see', () => {
  const raw = 'Content-Type: text/html; charset=utf-8\n\n<style>p{}</style><p>一&amp;二</p><p>三</p>';
  expect(parseMail(Buffer.from(raw)).mail).toMatchObject({
    text: '一&二\n\n三',
    html: expect.stringContaining('<p>'),
  });
});
