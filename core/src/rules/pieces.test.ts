import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { rules as en } from '../words/en/rules.ts';
import { rules as ja } from '../words/ja/rules.ts';
import { translator } from '../words/translate.ts';
import * as pieces from './pieces.ts';
import { invalidParams } from './reason.ts';

const english = translator('en', en);
const japanese = translator('ja', ja);
const now = Date.parse('2026-01-31T15:30:00Z');

interface Case {
  piece: z.ZodType;
  good: unknown[];
  bad: unknown[];
  en: string;
  ja: string;
}

const cases: Record<string, Case> = {
  required: {
    piece: pieces.filledText(),
    good: ['a', ' a '],
    bad: ['', ' ', '\u3000\n'],
    en: 'This field is required',
    ja: '必須項目です',
  },
  email: {
    piece: pieces.emailText(),
    good: ['a@b.co', 'first.last+tag@sub.example.com', `${'a'.repeat(64)}@example.com`, "o'neil@example.jp"],
    bad: [
      '',
      'a',
      'a@b',
      '@b.co',
      'a@',
      'a b@c.co',
      '.a@b.co',
      'a..b@c.co',
      'a@-b.co',
      'a@b..co',
      'a@1.2',
      'a@b.co\n',
      `${'a'.repeat(65)}@b.co`,
      `a@${'b'.repeat(250)}.co`,
    ],
    en: 'The value must be a valid email address',
    ja: 'メールアドレスの形式で入力してください',
  },
  url: {
    piece: pieces.urlText(),
    good: [
      'http://a',
      'https://example.com/p?q=1#h',
      'HTTPS://192.168.0.1:8080',
      'http://[::1]:80/',
      'https://例え.jp/',
    ],
    bad: [
      '',
      'example.com',
      'ftp://a',
      'javascript:alert(1)',
      'http://',
      'http:///a',
      'http://a b',
      'https://a..b',
      'http://a:99999',
      `http://a/${'x'.repeat(2048)}`,
    ],
    en: 'The value must be a valid URL including the protocol (http or https)',
    ja: 'プロトコル (http または https) を含む URL を入力してください',
  },
  'url or host': {
    piece: pieces.urlOrHostText(),
    good: ['http://a', 'example.com', 'localhost:8080/path', '10.0.0.1'],
    bad: ['', '/path', '//host', 'ftp://a', 'a b', 'https://'],
    en: 'The value must be a valid URL',
    ja: 'URL の形式で入力してください',
  },
  future: {
    piece: pieces.futureText(() => now, 'Asia/Tokyo'),
    good: ['2026-02-02', '2026-02-01T00:31', '2026-01-31T15:30:01Z', '2026-02-01T00:30:00.001+09:00'],
    bad: [
      '',
      '2026-02-01',
      '2026-01-31',
      '2026-02-01T00:30',
      '2026-01-31T15:30:00Z',
      '2026-02-30',
      '2026-02-30T00:00:00Z',
      'tomorrow',
    ],
    en: 'The date and time must be in the future',
    ja: '現在より後の日時を指定してください',
  },
  'ISO 8601': {
    piece: pieces.iso8601Text(),
    good: [
      '2026-01-31',
      '20260131',
      '2026-01',
      '2026-W05',
      '2026-W05-6',
      '2026W056',
      '2026-031',
      '2024-366',
      '2026-W53-1',
      '2026-01-31T09',
      '2026-01-31T09:00',
      '20260131T090000Z',
      '2026-01-31T09:00:00,5+09',
      '2026-01-31T24:00',
      '2028-02-29T00:00:00.123456789Z',
    ],
    bad: [
      '',
      '2026',
      '2026-02-29',
      '2026-13',
      '2026-W54',
      '2025-W53',
      '2026-366',
      '2026-000',
      '2026-01-31T25',
      '2026-01-31T24:01',
      '2026-01-31 09:00',
      '2026-01T09',
      '2026-1-1',
      'T09:00',
      '2026-01-31T',
      '2026-01-31T09T09',
    ],
    en: 'The value must be an ISO 8601 date or time',
    ja: 'ISO 8601 形式の日付または時刻を入力してください',
  },
  'RFC 3339': {
    piece: pieces.rfc3339Text(),
    good: [
      '2026-01-31T09:00:00Z',
      '2026-01-31t09:00:00.123456789z',
      '2026-01-31T09:00:00+09:00',
      '1985-04-12T23:20:50.52Z',
    ],
    bad: [
      '',
      '2026-01-31',
      '2026-01-31T09:00Z',
      '2026-01-31T09:00:00',
      '2026-02-29T09:00:00Z',
      '2026-01-31T24:00:00Z',
      '2026-01-31T09:00:60Z',
      '2026-01-31T09:00:00+0900',
      '2026-01-31 09:00:00Z',
    ],
    en: 'The value must be an RFC 3339 date and time (like 2026-01-31T09:00:00Z)',
    ja: 'RFC 3339 形式の日時を入力してください (例: 2026-01-31T09:00:00Z)',
  },
  date: {
    piece: pieces.dateText(),
    good: ['2026-01-31', '2028-02-29', '2000-02-29'],
    bad: [
      '',
      '2026-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-00-10',
      '2026-1-1',
      '2026/01/31',
      '2026-01-31\n',
    ],
    en: 'The value must be a date in the form YYYY-MM-DD',
    ja: '日付は YYYY-MM-DD の形式で入力してください',
  },
  time: {
    piece: pieces.timeText(),
    good: ['00:00', '23:59', '23:00', '24:00', '24:00:00', '09:05:59'],
    bad: ['', '24:01', '25:00', '9:00', '23:60', '23:59:60', '2300', '23:00 '],
    en: 'The value must be a time in the form HH:MM or HH:MM:SS (like 23:00)',
    ja: '時刻は HH:MM または HH:MM:SS の形式で入力してください (例: 23:00)',
  },
  'time zone': {
    piece: pieces.timeZoneText(),
    good: ['Asia/Tokyo', 'UTC', 'UTC+9', 'UTC-12', 'UTC+14', 'UTC+5:30', 'America/Argentina/Buenos_Aires'],
    bad: ['', 'Tokyo', 'UTC+15', 'UTC-13', 'UTC+5:70', '+09:00', 'Mars/Olympus', 'a'.repeat(100)],
    en: 'The value must be a known time zone (like Asia/Tokyo or UTC+9)',
    ja: 'タイムゾーンとして認識できません (例: Asia/Tokyo、UTC+9)',
  },
  'UTC offset': {
    piece: pieces.utcOffsetText(),
    good: ['UTC', 'UTC+9', 'UTC-12', 'UTC+14', 'UTC+09'],
    bad: ['', 'Asia/Tokyo', 'UTC+15', 'UTC-13', 'UTC+5:30', 'utc'],
    en: 'The value must be a UTC offset from UTC-12 to UTC+14',
    ja: 'UTC-12 から UTC+14 までの時差を指定してください',
  },
  IPv4: {
    piece: pieces.ipv4Text(),
    good: ['0.0.0.0', '10.0.0.1', '255.255.255.255'],
    bad: ['', '256.0.0.1', '10.0.0', '10.0.0.01', '10.0.0.1/24', '::1', '10.0.0.1 '],
    en: 'The value must be an IPv4 address',
    ja: 'IPv4 アドレスを入力してください',
  },
  CIDR: {
    piece: pieces.ipv4CidrText(),
    good: ['0.0.0.0/0', '10.0.0.1/24', '10.0.0.1/32'],
    bad: ['', '10.0.0.1', '10.0.0.1/33', '10.0.0.1/', '10.0.0.1/024', '10.0.0.1/24/1', '2001:db8::/32'],
    en: 'The value must be an IPv4 network in CIDR notation (like 192.168.0.0/24)',
    ja: 'IPv4 ネットワークを CIDR 表記で入力してください (例: 192.168.0.0/24)',
  },
  'IPv4 or CIDR': {
    piece: pieces.ipv4OrCidrText(),
    good: ['10.0.0.1', '10.0.0.0/8'],
    bad: ['', '10.0.0.0/8/', '::1', '10.0.0.0/99'],
    en: 'The value must be an IPv4 address, with or without a prefix length',
    ja: 'IPv4 アドレスまたは CIDR 表記のネットワークを入力してください',
  },
  IP: {
    piece: pieces.ipText(),
    good: ['10.0.0.1', '::', '2001:db8::1', '::ffff:10.0.0.1'],
    bad: ['', 'fe80::1%eth0', '2001:db8::/32', '1::2::3', 'abcd', '10.1'],
    en: 'The value must be an IP address',
    ja: 'IP アドレスを入力してください',
  },
  'IP or CIDR': {
    piece: pieces.ipOrCidrText(),
    good: ['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32', '::/0', '::1/128'],
    bad: ['', '::/129', '10.0.0.0/33', '::/', 'x/8'],
    en: 'The value must be an IP address or a network in CIDR notation',
    ja: 'IP アドレスまたは CIDR 表記のネットワークを入力してください',
  },
  number: {
    piece: pieces.numberText(),
    good: ['0', '-1', '1.50', '007', '-0.5'],
    bad: ['', '+1', '.5', '1.', '1e3', '1,5', '１', ' 1', '--1', 'NaN', '9'.repeat(500)],
    en: 'The value must be a number',
    ja: '数値を入力してください',
  },
  integer: {
    piece: pieces.integerText(),
    good: ['0', '-12', '007'],
    bad: ['', '1.0', '1e3', '+1', '0x10'],
    en: 'The value must be an integer',
    ja: '整数を入力してください',
  },
  'JSON number': {
    piece: pieces.jsonNumberText(),
    good: ['0', '-1.5e3', '1E+2', '0.1'],
    bad: ['', '01', '.5', '1.', '+1', '1e999', 'Infinity', '-'],
    en: 'The value must be a number as JSON writes it (like -1.5e3)',
    ja: 'JSON 形式の数値を入力してください (例: -1.5e3)',
  },
  password: {
    piece: pieces.passwordText(),
    good: ['a1!', 'パス1。', 'Passw0rd-'],
    bad: ['', 'abc', 'a1', '1!', 'a!', 'a1 '],
    en: 'The password must contain at least one letter, one digit and one symbol',
    ja: 'パスワードには英字・数字・記号をそれぞれ 1 文字以上含めてください',
  },
  phone: {
    piece: pieces.phoneText(),
    good: ['0123', '09012345678', `0${'1'.repeat(29)}`],
    bad: ['', '012', '1234', '03-1234-5678', '+81312345678', `0${'1'.repeat(30)}`, '０１２３', '0123\n'],
    en: 'The phone number must start with 0 and consist of 4 to 30 digits',
    ja: '電話番号は 0 から始まる 4〜30 桁の数字で入力してください',
  },
  'minimum length': {
    piece: pieces.lengthText({ min: 2 }),
    good: ['ab', '日本', '👍🏽👍🏽'],
    bad: ['', 'a', '👨‍👩‍👧‍👦', 'か\u3099'],
    en: 'Enter at least 2 characters',
    ja: '2 文字以上で入力してください',
  },
  'maximum length': {
    piece: pieces.lengthText({ max: 2 }),
    good: ['', 'ab', '👨‍👩‍👧‍👦👨‍👩‍👧‍👦'],
    bad: ['abc', '日本語'],
    en: 'Enter 2 characters at most',
    ja: '2 文字以内で入力してください',
  },
  pattern: {
    piece: pieces.patternText('^[a-z]+$'),
    good: ['abc'],
    bad: ['', 'ABC', 'a1'],
    en: 'The value does not match the required pattern',
    ja: '指定された形式に一致しません',
  },
  'pattern syntax': {
    piece: pieces.patternSyntaxText(),
    good: ['', '^a+$', '(?i)x', '\\p{Han}'],
    bad: ['(a'],
    en: 'The regular expression is not valid (RE2 syntax): missing closing ): `(a`',
    ja: '正規表現が正しくありません (RE2 構文): missing closing ): `(a`',
  },
  'empty or integer': {
    piece: pieces.emptyOrIntegerText(3),
    good: ['', '3', '10'],
    bad: ['2', '-3', '3.5', 'x', ' '],
    en: 'Leave the field empty or enter an integer of 3 or greater',
    ja: '空欄にするか、3 以上の整数を入力してください',
  },
  'week days': {
    piece: pieces.weekDayList(),
    good: [['monday'], ['sunday', 'monday']],
    bad: [[]],
    en: 'Select at least one day of the week',
    ja: '曜日を 1 つ以上選択してください',
  },
  'wide time': {
    piece: pieces.wideTimeText(),
    good: ['00:00', '25:30', '23:59:59', '100:00', '999999:59'],
    bad: ['', '9:00', '25:60', '25:00:60', '1000000:00', '-1:00', '25'],
    en: 'The value must be a time in the form HH:MM or HH:MM:SS; hours may exceed 23',
    ja: '時刻は HH:MM または HH:MM:SS の形式で入力してください (24 時以降も指定できます)',
  },
  'wide time minimum': {
    piece: pieces.wideTimeText({ minWideTime: '05:00' }),
    good: ['05:00', '05:00:01', '30:00'],
    bad: ['04:59', '04:59:59'],
    en: 'The time must be 05:00 or later',
    ja: '05:00 以降の時刻を入力してください',
  },
  'wide time maximum': {
    piece: pieces.wideTimeText({ maxWideTime: '29:00' }),
    good: ['29:00', '00:00'],
    bad: ['29:00:01', '100:00'],
    en: 'The time must be 29:00 or earlier',
    ja: '29:00 以前の時刻を入力してください',
  },
  'list item': {
    piece: pieces.listItems({ maxSize: 2, maxItemLength: 3 }),
    good: [[], ['a', 'bcd']],
    bad: [['a', 'bcde']],
    en: 'Item 2: Enter 3 characters at most',
    ja: '2 件目: 3 文字以内で入力してください',
  },
  'list size': {
    piece: pieces.listItems({ maxSize: 2 }),
    good: [['a', 'b']],
    bad: [['a', 'b', 'c']],
    en: 'Enter 2 items at most',
    ja: '2 件以内で入力してください',
  },
  'key twice': {
    piece: pieces.keyValueList(),
    good: [[], [{ key: 'a', value: '' }]],
    bad: [
      [
        { key: 'a', value: '1' },
        { key: 'a', value: '2' },
      ],
    ],
    en: 'An entry with the specified key already exists',
    ja: '同じキーの項目がすでに存在します',
  },
  'equal to another field': {
    piece: pieces.withEqual(z.object({ new: z.string(), again: z.string() }), 'again', 'new', 'New password'),
    good: [{ new: 'a', again: 'a' }],
    bad: [{ new: 'a', again: 'b' }],
    en: 'The value must be the same as “New password”',
    ja: '「New password」と同じ値を入力してください',
  },
};

describe.each(Object.entries(cases))('%s', (_, { piece, good, bad, en: inEnglish, ja: inJapanese }) => {
  // Wrapped, for test.each spreads a case that is itself a list.
  test.each(good.map((value) => [value]))('takes %j', (value) => {
    expect(piece.safeParse(value).success).toBe(true);
  });
  test.each(bad.map((value) => [value]))('refuses %j', (value) => {
    const result = piece.safeParse(value);
    expect(result.success).toBe(false);
    expect(invalidParams(result.error!, english)[0]!.reason).toBe(inEnglish);
    expect(invalidParams(result.error!, japanese)[0]!.reason).toBe(inJapanese);
  });
});

test('a pattern that RE2 refuses is refused at once', () => {
  expect(() => pieces.patternText('(?=a)')).toThrow('pattern refused: invalid or unsupported Perl syntax');
  expect(() => pieces.listItems({ pattern: 'a\\1(' })).toThrow('pattern refused');
});

test('key rows become an object, even with odd keys', () => {
  const rows = [
    { key: '__proto__', value: 'x' },
    { key: 'a', value: 'y' },
  ];
  const values = pieces.keyValueList().parse(rows);
  expect(Object.keys(values)).toEqual(['__proto__', 'a']);
  expect(invalidParams(pieces.keyValueList().safeParse([{ key: '', value: 'x' }]).error!, english)).toEqual([
    { name: '0.key', reason: 'A key is required' },
  ]);
});
