import { describe, expect, test } from 'vitest';
import { containsSecret, isSafeHeader, maskHeaders, maskRequest, maskUrl } from './mask-request.ts';

describe('maskUrl', () => {
  test.each([
    ['https://example.com/', 'https://example.com/'],
    ['https://example.com:8443/alerts/web-01', 'https://example.com:8443/alerts/web-01'],
    ['https://duty:pass@example.com/x', 'https://***@example.com/x'],
    ['https://duty@example.com/x', 'https://***@example.com/x'],
    ['https://:pass@example.com/x', 'https://***@example.com/x'],
    ['https://example.com/x?a%26b=1', 'https://example.com/x?a%26b=***'],
    ['https://example.com/x?key=abc&to=ops', 'https://example.com/x?key=***&to=***'],
    ['https://example.com/x#frag', 'https://example.com/x#***'],
    [
      'https://hooks.example.com/services/T0A/B0B/aB3dE5gH7jK9mN1pQ3rS5tU7',
      'https://hooks.example.com/services/T0A/B0B/***',
    ],
    // A key has at least 16 characters, among them letters and digits.
    ['https://hooks.example.com/a1b2c3d4e5f6g7h8', 'https://hooks.example.com/***'],
    ['https://hooks.example.com/a1b2c3d4e5f6g7h', 'https://hooks.example.com/a1b2c3d4e5f6g7h'],
    ['https://hooks.example.com/incoming-requests', 'https://hooks.example.com/incoming-requests'],
    ['https://hooks.example.com/1234567890123456', 'https://hooks.example.com/1234567890123456'],
    ['not an address', '***'],
    ['', ''],
  ])('%j is shown as %j', (text, shown) => {
    expect(maskUrl(text)).toBe(shown);
    if (text !== '') expect(containsSecret(text)).toBe(shown !== text);
  });
});

test('headers keep their names, and values that say only what a body is', () => {
  const headers = {
    Authorization: 'Bearer a',
    'X-Duty': 'b',
    'Content-Type': 'text/plain',
    Accept: '*/*',
    'X-Empty': '',
  };
  expect(maskHeaders(headers)).toEqual({
    Authorization: '***',
    'X-Duty': '***',
    'Content-Type': 'text/plain',
    Accept: '*/*',
    'X-Empty': '',
  });
});

test('of a request only address and headers are masked; anything else stays as it is', () => {
  const mail = { to: ['a@example.com'], subject: 's' };
  expect(maskRequest(mail)).toEqual(mail);
  expect(maskRequest(null)).toBeNull();
  expect(maskRequest({ url: 'https://a.example/?k=1', headers: { a: 'b' }, body: 'c' })).toEqual({
    url: 'https://a.example/?k=***',
    headers: { a: '***' },
    body: 'c',
  });
});

test('a request whose address or headers are of another form keeps them', () => {
  for (const request of [{ url: 7, headers: 'text' }, { headers: null }, 'text', 7, undefined])
    expect(maskRequest(request)).toEqual(request);
  expect(Object.keys(maskRequest({ body: 'c' }))).toEqual(['body']);
});

test.each([
  ['Accept', true],
  ['accept-language', true],
  ['Content-Type', true],
  ['CONTENT-ENCODING', true],
  ['User-Agent', true],
  ['Cache-Control', true],
  ['Content-Location', false],
  ['X-Accept', false],
  ['Accepted', false],
  ['Authorization', false],
])('a header %s only describes the content: %s', (name, isSafe) => {
  expect(isSafeHeader(name)).toBe(isSafe);
});
