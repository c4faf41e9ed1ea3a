import { expect, test } from 'vitest';
import { hostNameOf, hostOfHeader } from './host-name.ts';

test.each([
  ['acme.example.com', 'acme.example.com'],
  [' ACME.Example.com. ', 'acme.example.com'],
  ['監視.example.jp', 'xn--6zyw21b.example.jp'],
  ['localhost', 'localhost'],
  ['192.0.2.1', '192.0.2.1'],
  ['a-b.example', 'a-b.example'],
  ['', null],
  ['.', null],
  ['acme.example.com:8480', null],
  ['https://acme.example.com', null],
  ['acme.example.com/x', null],
  ['-acme.example.com', null],
  ['acme_1.example.com', null],
  ['a..b', null],
  ['*.example.com', null],
  ['[::1]', null],
  ['example.1', null],
  ['a b', null],
  ['a\tb', null],
  ['user@acme.example.com', null],
  ['acme.example.com?x', null],
  ['acme.example.com\\x', null],
  ['a\0b', null],
  [`${'a'.repeat(64)}.example`, null],
  [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  [`${'a.'.repeat(126)}a`, `${'a.'.repeat(126)}a`],
  [`${'a.'.repeat(126)}aa`, null],
  [`${'a.'.repeat(127)}aa`, null],
])('the host name of %j is %j', (text, host) => {
  expect(hostNameOf(text)).toBe(host);
});

test.each([
  ['acme.example.com', 'acme.example.com'],
  ['Acme.Example.com:8480', 'acme.example.com'],
  ['acme.example.com.', 'acme.example.com'],
  [' acme.example.com ', 'acme.example.com'],
  ['[::1]:8480', '[::1]'],
  ['[::1]', '[::1]'],
  [undefined, undefined],
  ['', undefined],
  ['a:b', undefined],
  ['a:1:2', undefined],
])('a request to %j is for %j', (header, host) => {
  expect(hostOfHeader(header)).toBe(host);
});
