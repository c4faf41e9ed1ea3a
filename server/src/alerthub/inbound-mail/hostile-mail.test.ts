// Malicious mails are parsed within bounds, yield text that can be stored, and report what was omitted.
import { expect, test } from 'vitest';
import { findUnstorableText } from '../../http/input/storable-text.ts';
import { extractAttachment, parseMail } from './parse-mail.ts';

const crlf = '\r\n';
const head = (...lines: string[]) => `${lines.join(crlf)}${crlf}${crlf}`;
const multipart = (boundary: string, kind = 'mixed') =>
  head(`Content-Type: multipart/${kind}; boundary="${boundary}"`);
const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join('');
const latin = (...bytes: number[]) => Buffer.from(bytes).toString('latin1');

function nested(depth: number): string {
  return (
    repeat(depth, (level) => `${multipart(`b${level}`)}--b${level}${crlf}`) +
    head('Content-Type: text/plain') +
    'deepest'
  );
}

type ExpectedMail = Partial<ReturnType<typeof parseMail>['mail']>;
const plain = head('Subject: s', 'Content-Type: text/plain');
const mails: [what: string, raw: () => string, expected: ExpectedMail][] = [
  ['nothing at all', () => '', { text: '', subject: '' }],
  ['one line break', () => crlf, { text: '' }],
  ['no header', () => `${crlf}body`, { text: 'body' }],
  ['no body', () => 'Subject: s', { subject: 's', text: '' }],
  ['no blank line between', () => 'Subject: s\r\njust text', { subject: 's' }],
  ['an mbox line first', () => `From a@b Thu Jan 1\nSubject: s\n\nx`, { subject: 's', text: 'x' }],
  ['bare line feeds', () => 'Subject: s\n\nx\ny', { text: 'x\ny' }],
  ['bare carriage returns', () => 'Subject: s\r\rx', { subject: 's\n\nx' }],
  [
    'NULs everywhere',
    () => 'Sub\0ject: a\0b\r\nSubject: s\0\r\n\r\nx\0y',
    { subject: 's\ufffd', text: 'x\ufffdy' },
  ],
  [
    'random bytes',
    () => latin(...Array.from({ length: 100_000 }, (_, i) => (i * 7919 + (i >> 3)) & 255)),
    {},
  ],
  ['halves of surrogate pairs', () => `Subject: =?utf-8?B?7aCA?=\r\n\r\n${latin(0xed, 0xa0, 0x80)}`, {}],
  [
    '10,000 header fields',
    () => `${repeat(10_000, (i) => `X-${i}: v\r\n`)}Subject: late\r\n\r\nx`,
    { cut: ['header'] },
  ],
  ['one field of 1 MB', () => `Subject: ${'s'.repeat(1 << 20)}\r\n\r\nx`, { text: 'x', cut: ['header'] }],
  [
    'one field folded 100,000 times',
    () => `Subject: s${'\r\n x'.repeat(100_000)}\r\n\r\nx`,
    { cut: ['header'] },
  ],
  ['a header of 8 MB', () => `${'X: y\r\n'.repeat(1_000_000)}\r\nx`, { text: 'x', cut: ['header'] }],
  ['the same field 1,500 times', () => `${'Received: from a\r\n'.repeat(1500)}\r\nx`, { text: 'x' }],
  ['names that are members of every object', () => '__proto__: p\r\nconstructor: c\r\n\r\nx', { text: 'x' }],
  [
    '10,000 parts',
    () => multipart('b') + repeat(10_000, () => `--b${crlf}${crlf}x${crlf}`),
    { cut: ['parts'] },
  ],
  ['nested 5 deep', () => nested(5), { text: 'deepest', cut: [] }],
  ['nested 1,000 deep', () => nested(1000), { cut: ['depth'] }],
  ['nested 100,000 deep', () => nested(100_000), { cut: ['depth'] }],
  ['a boundary that never comes', () => `${multipart('b')}text`, { text: 'text' }],
  ['a boundary within lines only', () => `${multipart('b')}x --b y`, { text: 'x --b y' }],
  ['no boundary said', () => `${head('Content-Type: multipart/mixed')}text`, { text: 'text' }],
  ['an empty boundary', () => `${head('Content-Type: multipart/mixed; boundary=""')}--${crlf}x`, {}],
  ['a boundary of 10,000 letters', () => `${multipart('b'.repeat(10_000))}x`, { text: 'x' }],
  [
    'boundaries that begin alike',
    () => `${multipart('b')}--bb${crlf}${crlf}no${crlf}--b${crlf}${crlf}yes${crlf}--b--`,
    { text: 'yes' },
  ],
  [
    'the boundary of an outer part inside',
    () =>
      `${multipart('a')}--a${crlf}${multipart('c')}--c${crlf}${crlf}1${crlf}--a${crlf}${crlf}2${crlf}--a--`,
    { text: '1\n2' },
  ],
  [
    'the same boundary inside',
    () => `${multipart('a')}--a${crlf}${multipart('a')}--a${crlf}${crlf}x${crlf}--a--`,
    { text: 'x' },
  ],
  ['no last boundary', () => `${multipart('b')}--b${crlf}${crlf}x`, { text: 'x' }],
  [
    'a part without an end of its header',
    () => `${multipart('b')}--b${crlf}Content-Type: text/plain${crlf}--b${crlf}${crlf}x${crlf}--b--`,
    { text: '\nx' },
  ],
  [
    'a million lines of dashes',
    () => multipart('b') + `--x${crlf}`.repeat(1_000_000),
    { cut: ['parts', 'text'] },
  ],
  ['a line of 8 MB', () => plain + 'x'.repeat(8 << 20), { cut: ['text'] }],
  ['five million lines', () => plain + 'x\n'.repeat(1_000_000), { cut: ['text'] }],
  ['HTML of 8 MB', () => head('Content-Type: text/html') + '<b>'.repeat(2_000_000), { cut: ['html'] }],
  ['HTML that never closes', () => `${head('Content-Type: text/html')}${'<'.repeat(500_000)}`, {}],
  ['HTML of comments alone', () => `${head('Content-Type: text/html')}${'<!--'.repeat(200_000)}`, {}],
  [
    'letters that are no base64',
    () => `${head('Content-Transfer-Encoding: base64')}!!!!${crlf}QUJD${crlf}####`,
    { text: 'ABC' },
  ],
  [
    'base64 with an end in the middle',
    () => `${head('Content-Transfer-Encoding: base64')}QQ==${crlf}QkM=`,
    {},
  ],
  [
    'broken quoted-printable',
    () => `${head('Content-Transfer-Encoding: quoted-printable')}=ZZ =4 a=41 =`,
    { text: '=ZZ =4 aA ' },
  ],
  [
    'an encoding that nobody knows',
    () => `${head('Content-Transfer-Encoding: x-nothing')}as it is`,
    { text: 'as it is' },
  ],
  [
    'a charset of 10,000 letters',
    () => `${head(`Content-Type: text/plain; charset=${'x'.repeat(10_000)}`)}x`,
    { text: 'x' },
  ],
  [
    '20,000 parameters',
    () => `${head(`Content-Type: text/plain${repeat(5000, (i) => `; p${i}=v`)}`)}x`,
    { text: 'x' },
  ],
  [
    'parameters with 500 pieces',
    () => `${head(`Content-Type: application/x${repeat(500, (i) => `; name*${i}=x`)}`)}x`,
    {},
  ],
  [
    'encoded words by the thousand',
    () => `Subject: ${'=?utf-8?B?44GC?= '.repeat(3000)}\r\n\r\nx`,
    { text: 'x' },
  ],
  ['beginnings of encoded words', () => `Subject: ${'=?a?B?'.repeat(10_000)}\r\n\r\nx`, { text: 'x' }],
  [
    'a hundred thousand senders',
    () => `From: ${'a@b.c, '.repeat(100_000)}\r\n\r\nx`,
    { from: { name: '', email: 'a@b.c' } },
  ],
  ['brackets for a sender', () => `From: ${'<'.repeat(50_000)}\r\n\r\nx`, { text: 'x' }],
  ['comments in comments for a sender', () => `From: ${'('.repeat(50_000)}\r\n\r\nx`, { text: 'x' }],
  [
    'a mail in a mail, a hundred times',
    () => `${repeat(100, () => head('Content-Type: message/rfc822'))}x`,
    { text: '' },
  ],
  [
    '1,000 attachments',
    () =>
      multipart('b') +
      repeat(999, (i) => `--b${crlf}Content-Disposition: attachment; filename=f${i}${crlf}${crlf}x${crlf}`),
    { cut: ['attachments'] },
  ],
  [
    'a name that climbs folders',
    () => `${head('Content-Disposition: attachment; filename="../../etc/passwd"')}x`,
    {
      attachments: [
        { index: 0, filename: '_.._etc_passwd', contentType: 'application/octet-stream', size: 1 },
      ],
    },
  ],
  [
    'a name that turns round',
    () => `${head("Content-Type: application/x; name*=utf-8''a%E2%80%AEfdp.exe")}x`,
    { attachments: [{ index: 0, filename: 'afdp.exe', contentType: 'application/x', size: 1 }] },
  ],
  [
    'a type with a line break in it',
    () => `${head('Content-Type: application/x\r\n evil: 1; name=a')}x`,
    { attachments: [{ index: 0, filename: 'a', contentType: 'application/octet-stream', size: 1 }] },
  ],
  [
    'an attachment of 8 MB',
    () =>
      `${head('Content-Type: application/zip', 'Content-Transfer-Encoding: base64')}${'A'.repeat(8 << 20)}`,
    {},
  ],
];

test('there are at least fifty of them', () => {
  expect(mails.length).toBeGreaterThanOrEqual(50);
});

test.each(mails)('%s', (_what, make, expected) => {
  const raw = Buffer.from(make(), 'latin1');
  const begun = process.cpuUsage();
  const { mail, headers } = parseMail(raw);
  // Far above the expected time, far below that of a non-linear algorithm.
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(5000);
  expect(mail).toMatchObject(expected);
  expect(findUnstorableText({ mail, headers: Object.entries(headers) })).toEqual([]);
  expect(mail.text.length).toBeLessThanOrEqual(1 << 20);
  expect(mail.html.length).toBeLessThanOrEqual(1 << 20);
  expect(mail.subject.length).toBeLessThanOrEqual(1000);
  expect(mail.attachments.length).toBeLessThanOrEqual(200);
  expect(JSON.stringify(headers).length).toBeLessThan(600_000);
  for (const { index, filename, size } of mail.attachments.slice(0, 3)) {
    expect(extractAttachment(raw, index)).toMatchObject({ filename });
    expect(extractAttachment(raw, index)!.bytes.length).toBe(size);
  }
});

test('a part that is read is no attachment', () => {
  expect(extractAttachment(Buffer.from(`${plain}x`), 0)).toBeUndefined();
  expect(extractAttachment(Buffer.from(`${plain}x`), 7)).toBeUndefined();
});
