import { expect, test } from 'vitest';
import { isHost } from './host.ts';

test.each([
  ['web-01', true],
  ['web_01.example.co.jp', true],
  ['example.com.', true],
  ['10.0.0.1', true],
  ['2001:db8::1', true],
  ['1.example', true],
  ['10.0.0.256', false],
  ['10.0.0', false],
  ['', false],
  ['-web', false],
  ['web-', false],
  ['web..example', false],
  ['web:22', false],
  ['http://web', false],
  ['user@web', false],
  ['web 01', false],
  ['web\n', false],
  [`${'a'.repeat(64)}.example`, false],
  [Array(64).fill('aaa').join('.'), false],
  ['fe80::1%eth0', false],
])('%j is a host: %s', (text, wanted) => {
  expect(isHost(text)).toBe(wanted);
});
