import { describe, expect, test } from 'vitest';
import { isTimeZone } from '../time/time-zone.ts';
import { isDate } from './date.ts';
import { isIp, isIpOrCidr } from './ip.ts';
import { isIpv4, isIpv4Cidr, isIpv4OrCidr } from './ipv4.ts';
import { isPassword } from './password.ts';
import { isPhone } from './phone.ts';
import { isRfc3339 } from './rfc3339.ts';
import { checkTextLength } from './text-length.ts';

describe.each<[string, (text: string) => boolean, string[], string[]]>([
  [
    'RFC 3339',
    isRfc3339,
    [
      '2026-01-31T09:00:00Z',
      '2026-01-31t09:00:00.123456789z',
      '2026-01-31T09:00:00+09:00',
      '1985-04-12T23:20:50.52Z',
    ],
    [
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
  ],
  [
    'date',
    isDate,
    ['2026-01-31', '2028-02-29', '2000-02-29'],
    ['', '2026-02-29', '1900-02-29', '2026-04-31', '2026-00-10', '2026-1-1', '2026/01/31', '2026-01-31\n'],
  ],
  [
    'time zone',
    isTimeZone,
    ['Asia/Tokyo', 'UTC', 'UTC+9', 'UTC-12', 'UTC+14', 'UTC+5:30', 'America/Argentina/Buenos_Aires'],
    ['', 'Tokyo', 'UTC+15', 'UTC-13', 'UTC+5:70', '+09:00', 'Mars/Olympus', 'a'.repeat(100)],
  ],
  [
    'IPv4',
    isIpv4,
    ['0.0.0.0', '10.0.0.1', '255.255.255.255'],
    ['', '256.0.0.1', '10.0.0', '10.0.0.01', '10.0.0.1/24', '::1', '10.0.0.1 '],
  ],
  [
    'CIDR',
    isIpv4Cidr,
    ['0.0.0.0/0', '10.0.0.1/24', '10.0.0.1/32'],
    ['', '10.0.0.1', '10.0.0.1/33', '10.0.0.1/', '10.0.0.1/024', '10.0.0.1/24/1', '2001:db8::/32'],
  ],
  ['IPv4 or CIDR', isIpv4OrCidr, ['10.0.0.1', '10.0.0.0/8'], ['', '10.0.0.0/8/', '::1', '10.0.0.0/99']],
  [
    'IP',
    isIp,
    [
      ...['10.0.0.1', '::', '2001:db8::1', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7::', '::2:3:4:5:6:7:8'],
      ...['::ffff:10.0.0.1', '::10.0.0.1', '1:2:3:4:5:6:10.0.0.1', 'ABCD::'],
    ],
    [
      ...['', 'fe80::1%eth0', '2001:db8::/32', '1::2::3', 'abcd', '10.1', ':', ':::', ':1', '1:', '1:2:3'],
      ...['1:2:3:4:5:6:7:8:9', '1::2:3:4:5:6:7:8', '1:2:3:4:5:6:7:', '12345::', 'g::', '::10.0.0.256'],
      ...['10.0.0.1::', '::10.0.0.1:1', '1:2:3:4:5:6:7:10.0.0.1', '::ffff:10.0.0.01', '::1 '],
    ],
  ],
  [
    'IP or CIDR',
    isIpOrCidr,
    ['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32', '::/0', '::1/128'],
    ['', '::/129', '10.0.0.0/33', '::/', 'x/8'],
  ],
  ['password', isPassword, ['a1!', 'パス1。', 'Passw0rd-'], ['', 'abc', 'a1', '1!', 'a!', 'a1 ']],
  [
    'phone',
    isPhone,
    ['0123', '09012345678', `0${'1'.repeat(29)}`],
    ['', '012', '1234', '03-1234-5678', '+81312345678', `0${'1'.repeat(30)}`, '０１２３', '0123\n'],
  ],
])('%s', (_, check, good, bad) => {
  test.each(good)('takes %j', (text) => expect(check(text)).toBe(true));
  test.each(bad)('refuses %j', (text) => expect(check(text)).toBe(false));
});

test.each([
  ['ab', { min: 2 }, undefined],
  ['👍🏽👍🏽', { min: 2 }, undefined],
  ['', { min: 2 }, { word: 'rule.minLength', count: 2 }],
  ['👨‍👩‍👧‍👦', { min: 2 }, { word: 'rule.minLength', count: 2 }],
  ['か\u3099', { min: 2 }, { word: 'rule.minLength', count: 2 }],
  ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦', { max: 2 }, undefined],
  ['日本語', { max: 2 }, { word: 'rule.maxLength', count: 2 }],
])('%j has characters as a person counts them: %j', (text, limits, violation) => {
  expect(checkTextLength(text, limits)).toEqual(violation);
});
