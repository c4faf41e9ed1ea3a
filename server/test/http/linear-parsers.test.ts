// Parsers of untrusted input run in linear time: eight times the input takes at most twenty times as long.

import { BoundedRegex } from '@yagura/core/alerthub/engine/data/bounded-regex';
import { parsePath } from '@yagura/core/alerthub/engine/data/data-path';
import { htmlToPlainText, limitNesting, removeElements } from '@yagura/core/alerthub/engine/data/html-text';
import { JsonPath, queryBudget } from '@yagura/core/alerthub/engine/data/json-path';
import { checkTemplate } from '@yagura/core/alerthub/engine/template/render-template';
import { parseJson, printExactJson } from '@yagura/core/http/exact-json';
import { parseFilter } from '@yagura/core/query/filter';
import { parseSearch } from '@yagura/core/query/search';
import { parseSort } from '@yagura/core/query/sort';
import { matchesWildcard } from '@yagura/core/query/wildcard';
import { parseRrule } from '@yagura/core/schedule/rrule';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readRows } from '../../src/alerthub/bulk/read-rows.ts';
import { decodeText } from '../../src/alerthub/inbound-mail/charset.ts';
import { renderHtmlPage } from '../../src/alerthub/inbound-mail/html-page.ts';
import { extractAttachment, parseMail } from '../../src/alerthub/inbound-mail/parse-mail.ts';
import { MessageBody } from '../../src/alerthub/message-body/message-body.ts';
import { summarize } from '../../src/alerthub/messages/message-summary.ts';
import { extractTerms, toSearchQuery } from '../../src/alerthub/messages/search-terms.ts';
import { parseOutgoingUrl } from '../../src/delivery/outgoing-url.ts';
import { findUnstorableText } from '../../src/http/input/storable-text.ts';
import { readTolerantly } from '../../src/http/input/tolerant-input.ts';
import { languageFor } from '../../src/http/request-language.ts';
import { compressResponse } from '../../src/http/web-console/compress-response.ts';
import { hostNameOf, hostOfHeader } from '../../src/identity/host-name.ts';

type Parser = (text: string) => unknown;
/** A repeated piece, or a function that creates a text of about that length. */
type Hostile = string | ((length: number) => string);

const around = (before: string, piece: string, after: string) => (length: number) =>
  before + piece.repeat(length / piece.length) + after;
const halves = (open: string, close: string) => (length: number) =>
  open.repeat(length / 2 / open.length) + close.repeat(length / 2 / close.length);
const numbered =
  (piece: (index: number) => string, before = '', after = '') =>
  (length: number) =>
    before + Array.from({ length: length / piece(1000).length }, (_, index) => piece(index)).join('') + after;

const json: Parser = (text) => parseJson(text, { exact: ['posX'], maxDepth: 100 });
const mail: Parser = (text) => parseMail(Buffer.from(text, 'latin1'));
const head = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n';
const page: Parser = (text) => renderHtmlPage(text, () => undefined);
const csv: Parser = async (text) => {
  for await (const row of readRows(piecesOf(text))) void row;
};
const regex = new BoundedRegex('(a+)+b|(?:x|y)*z', false);
const pattern: Parser = (text) => new BoundedRegex(text.slice(0, 65_536), false);

const body =
  (type: string): Parser =>
  (text) =>
    new MessageBody(Buffer.from(text), { 'content-type': type }).readData();
const numbersForTexts = z.object({ list: z.array(z.string()), record: z.record(z.string(), z.string()) });
const nodes: Parser = (text) =>
  new JsonPath('$..[?@.a == "b"].c').select(JSON.parse(text), 1000, queryBudget());

const parsers: [name: string, parse: Parser, hostile: Record<string, Hostile>][] = [
  [
    'JSON',
    json,
    {
      zeros: around('[', '0,', '0]'),
      'nesting without end': '[',
      'nesting that ends': halves('[', ']'),
      keys: numbered((index) => `"k${index}":1,`, '{', '"last":1}'),
      'equal keys': around('{', '"a":1,', '"a":1}'),
      'exact numbers': around('[', '{"posX":1.50},', '0]'),
      escapes: around('"', '\\u0041', '"'),
      'an open string': '"a',
      'backslashes without end': around('"', '\\\\', ''),
      'one long number': '1',
      blanks: ' ',
    },
  ],
  [
    'a form as data',
    body('application/x-www-form-urlencoded'),
    { fields: 'a=b&', names: numbered((index) => `k${index}=1&`), payloads: 'payload=[1]&' },
  ],
  ['lines of JSON', body('application/x-ndjson'), { lists: '[1]\n', separators: '\x1e', blanks: ' \n' }],
  [
    'XML',
    body('application/xml'),
    {
      elements: around('<a>', '<b/>', '</a>'),
      nesting: '<a>',
      'nesting that ends': halves('<a>', '</a>'),
      names: numbered((index) => `<k${index}/>`, '<a>', '</a>'),
      attributes: numbered((index) => ` k${index}="1"`, '<a', '/>'),
      entities: around('<a>', '&amp;', '</a>'),
      text: around('<a>', 'x', '</a>'),
      comments: around('<a>', '<!-- -->', '</a>'),
      'open comments': '<!--',
      sections: around('<a>', '<![CDATA[x]]>', '</a>'),
      instructions: '<?a?>',
    },
  ],
  [
    'parts of a form',
    body('multipart/form-data; boundary=b'),
    {
      fields: around('', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n', '--b--'),
      boundaries: '--b\r\n',
      dashes: '--b',
    },
  ],
  [
    'a body with numbers for texts',
    (text) => readTolerantly(numbersForTexts, JSON.parse(text)),
    {
      list: around('{"record":{},"list":[', '1,', '1]}'),
      record: numbered((index) => `"k${index}":1,`, '{"list":{},"record":{', '"k":1}}'),
      lists: around('{"record":{},"list":[', '{},', '1]}'),
    },
  ],
  ['a JSONPath', (text) => new JsonPath(text), { filters: '$[?@.a', members: around('$', '.a', '') }],
  [
    'data of a JSONPath',
    nodes,
    { items: around('[', '{"a":"b"},', '0]'), nesting: halves('[', ']'), texts: around('["', 'x', '"]') },
  ],
  ['printing JSON', (text) => printExactJson(JSON.parse(text)), { zeros: around('[', '0,', '0]') }],
  ['text for the store', (text) => findUnstorableText([text]), { surrogates: '\ud83d\ude00', plain: 'a' }],
  [
    'HTML as text',
    (text) => htmlToPlainText(text, new Set(['script', 'style', 'head'])),
    {
      tables: '<table><tr><td>',
      bold: '<b>',
      signs: '<',
      quotes: '<a b="',
      comments: '<!--',
      'comments that end': '<!-- -->',
      scripts: '<script>',
      titles: '<title>x</title>',
      entities: '&amp;',
      'open entities': '&#x',
      breaks: '<br>',
      blanks: '\n ',
    },
  ],
  [
    'HTML without elements',
    (text) => removeElements(text, new Set(['b', 'script'])),
    { bold: '<b>', closed: '<b></b>', scripts: '<script>' },
  ],
  [
    'HTML within a depth',
    (text) => limitNesting(text, 200),
    {
      tables: '<table><tr><td>',
      bold: '<b>',
      closes: '</b>',
      both: halves('<i>', '</i>'),
      paragraphs: '<p>x',
    },
  ],
  [
    'the page of a mail',
    page,
    {
      tables: '<table><tr><td>',
      bold: '<b>',
      'bold that ends': halves('<b>', '</b>'),
      closes: '</b>',
      paragraphs: '<p>x',
      signs: '<',
      quotes: '<a b="',
      comments: '<!--',
      titles: '<title></title>',
      iframes: halves('<iframe>', '</iframe>'),
      noscript: '<noscript><iframe>',
      links: '<a href="x">y</a>',
      pictures: '<img src=cid:a>',
      drawings: '<svg><math>',
      attributes: numbered((index) => ` a${index}=1`, '<p', '>'),
      'one style': around('<p style="', 'a:b;', '">'),
    },
  ],
  [
    'a mail',
    mail,
    {
      'header fields': numbered((index) => `X-${index}: v\r\n`),
      'one folded field': around('Subject: s', '\r\n x', '\r\n\r\n'),
      'encoded words': around('Subject:', ' =?utf-8?B?YQ==?=', '\r\n\r\n'),
      'open encoded words': around('Subject:', ' =?utf-8?B?', '\r\n\r\n'),
      parameters: numbered((index) => `; p${index}=v`, 'Content-Type: text/plain', '\r\n\r\n'),
      continuations: numbered((index) => `; name*${index % 1000}=v`, 'Content-Type: text/plain', '\r\n\r\n'),
      'quotes in parameters': around('Content-Type: text/plain; a="', '\\"', '\r\n\r\n'),
      senders: around('From: ', '<a@b>,', '\r\n\r\n'),
      'brackets in a sender': around('From: ', '(', '\r\n\r\n'),
      parts: around(head, '--b\r\n\r\nx\r\n', ''),
      'parts within parts': (length) =>
        Array.from(
          { length: length / 70 },
          (_, index) => `Content-Type: multipart/mixed; boundary="b${index}"\r\n\r\n--b${index}\r\n`,
        ).join(''),
      'lines of dashes': around(head, '--x\r\n', ''),
      'quoted printable': around('Content-Transfer-Encoding: quoted-printable\r\n\r\n', '=41=\r\n', ''),
      'blanks at ends of lines': around('Content-Transfer-Encoding: quoted-printable\r\n\r\n', ' ', ''),
      'soft breaks that end nowhere': around(
        'Content-Transfer-Encoding: quoted-printable\r\n\r\n',
        '= ',
        'x',
      ),
      base64: around('Content-Transfer-Encoding: base64\r\n\r\n', 'QUJD\r\n', ''),
      'flowed text': around('Content-Type: text/plain; format=flowed\r\n\r\n', 'a \r\n', ''),
    },
  ],
  [
    'an attachment',
    (text) => extractAttachment(Buffer.from(text), 0),
    {
      base64: around(
        'Content-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n',
        'QUJD',
        '',
      ),
    },
  ],
  [
    'bytes of an unknown charset',
    (text) => decodeText(Buffer.from(text, 'latin1')),
    { escapes: '\x1b$B', 'kana and kanji': '\xb1\x83', 'high bytes': '\xff' },
  ],
  [
    'bytes of ISO-2022-JP',
    (text) => decodeText(Buffer.from(text, 'latin1'), 'iso-2022-jp'),
    { escapes: '\x1b$B\x1b(B', characters: around('\x1b$B', '$"', '') },
  ],
  [
    'the summary of a message',
    (text) => summarize(Buffer.from(text)),
    { blanks: ' ', nesting: '[', text: 'あ' },
  ],
  [
    'words of a message',
    extractTerms,
    { words: 'ab ', kanji: '漢字', ligatures: '\ufdfa', marks: 'a\u0300' },
  ],
  ['a search for words', toSearchQuery, { words: 'ab ', kanji: '漢', ligatures: '\ufdfa' }],
  [
    'CSV',
    csv,
    {
      cells: 'a,',
      rows: 'a\n',
      quotes: '"',
      'quoted quotes': around('"', '""', '"\n'),
      'an open cell': around('"', 'a', ''),
    },
  ],
  [
    'a filter',
    parseFilter,
    {
      brackets: '(',
      terms: 'a eq "b" and ',
      not: 'not ',
      'an open text': around('a eq "', 'x', ''),
      escapes: around('a eq "', '\\\\', ''),
      dots: 'a.',
    },
  ],
  ['a sort list', parseSort, { fields: 'a,', minus: '-' }],
  [
    'a search of nodes',
    parseSearch,
    { brackets: '(', words: 'a ', quotes: '"', fields: 'a:', ranges: '[a TO ', stars: '*', not: 'NOT ' },
  ],
  ['a wildcard', (text) => matchesWildcard('*a*b*c*d', text), { near: 'abc', same: 'a' }],
  [
    'a template',
    checkTemplate,
    { tags: '{{a}}', sections: '{{#a}}', open: '{{', both: halves('{{#a}}', '{{/a}}') },
  ],
  ['a data path', parsePath, { members: 'a.', indexes: 'a[0]', brackets: '[', quotes: '["' }],
  ['a pattern', pattern, { groups: '(', stars: 'a*', choices: 'a|', classes: '[', bounds: 'a{2}' }],
  ['a text that is searched', (text) => regex.matches(text), { near: 'a', choices: 'xy' }],
  ['a recurrence', parseRrule, { parts: 'FREQ=DAILY;', days: around('FREQ=WEEKLY;BYDAY=', 'MO,', 'MO') }],
  [
    'an address of a webhook',
    parseOutgoingUrl,
    {
      path: around('https://a/', 'b/', ''),
      ups: around('https://a/', '../../', ''),
      hosts: around('https://', 'a.', ''),
      digits: around('https://a:', '1', ''),
    },
  ],
  ['a host name', hostNameOf, { labels: 'a.', dashes: 'a-', dots: '.' }],
  ['a Host header', hostOfHeader, { labels: 'a.', colons: ':', brackets: '[' }],
  ['Accept-Language', languageFor, { languages: 'xx;q=0.1,', dashes: 'en-', commas: ',' }],
  [
    'Accept-Encoding',
    (text) => compressResponse(new Response('x', { headers: { 'content-type': 'text/html' } }), text).headers,
    { codings: 'br;q=0,', semicolons: ';' },
  ],
  [
    'a form',
    (text) => new URLSearchParams(text),
    { fields: 'a=b&', signs: '%', names: numbered((index) => `k${index}=1&`) },
  ],
];

const cases = parsers.flatMap(([name, parse, hostile]) =>
  Object.entries(hostile).map(([what, make]): [string, Parser, Hostile] => [`${name}: ${what}`, parse, make]),
);

test.each(cases)('%s', async (_name, parse, hostile) => {
  const make = typeof hostile === 'string' ? around('', hostile, '') : hostile;
  // Large enough to measure, but at most a few seconds when the parser is quadratic.
  let length = 4096;
  let once = await work(parse, make(length));
  while (once < 20_000 && length < 131_072) {
    length *= 2;
    once = await work(parse, make(length));
  }
  const long = make(length * 8);
  let ratio = Number.POSITIVE_INFINITY;
  // Other processes can only slow it down, so the lowest of several attempts is the most accurate.
  for (let turn = 0; turn < 6 && ratio > max; turn++) {
    const short = Math.max(await work(parse, make(length)), floor);
    ratio = Math.min(ratio, (await work(parse, long)) / short);
  }
  expect(ratio).toBeLessThan(max);
});

/** Linear work would take eight times as long, quadratic work sixty-four times. */
const max = 20;
/** Shorter measurements, in microseconds, are not reliable. */
const floor = 1000;

/** CPU time in microseconds, largely independent of other processes; a parser may reject the input. */
async function work(parse: Parser, text: string): Promise<number> {
  const begun = process.cpuUsage();
  try {
    await parse(text);
  } catch (error) {
    // Error messages are tested elsewhere, but errors caused by this table must fail.
    if (error instanceof TypeError || error instanceof ReferenceError) throw error;
  }
  const { user, system } = process.cpuUsage(begun);
  return user + system;
}

async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += 65_536) yield Buffer.from(text.slice(at, at + 65_536));
}
