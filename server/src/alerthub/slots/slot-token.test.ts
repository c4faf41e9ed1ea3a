import { expect, test } from 'vitest';
import { maskedUrl } from './slot-token.ts';

const token = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcd3';

test.each([
  [
    'a token at the end',
    `https://a.example/receive/webhook/${token}`,
    'https://a.example/receive/webhook/****bcd3',
  ],
  ['a token before a path', `/receive/webhook/${token}/x/y`, '/receive/webhook/****bcd3/x/y'],
  [
    'a token before a query',
    `/receive/webhook/${token}?key=${token}`,
    `/receive/webhook/****bcd3?key=${token}`,
  ],
  ['a token before a fragment', `/receive/webhook/${token}#x`, '/receive/webhook/****bcd3#x'],
  ['an escaped token', `/receive/webhook/%41bCdEf%67h`, '/receive/webhook/****Efgh'],
  ['a token with escapes that are not valid', `/receive/webhook/${token}%zz`, '/receive/webhook/****'],
  ['a token too short to show its end', '/receive/webhook/abcdefg', '/receive/webhook/****'],
  [
    'a path before the token',
    `/receive/webhook//receive/webhook/${token}`,
    '/receive/webhook//receive/webhook/****bcd3',
  ],
  ['no token', '/receive/webhook/?a=b', '/receive/webhook/?a=b'],
  ['another path', `/receive/mail/${token}`, `/receive/mail/${token}`],
])('masks %s', (_name, url, masked) => {
  expect(maskedUrl(url)).toBe(masked);
});

test('masks a masked URL no further', () => {
  const masked = maskedUrl(`https://a.example/receive/webhook/${token}?x=1`);
  expect(maskedUrl(masked)).toBe(masked);
});
