import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { setLanguageCookie } from './page.ts';

test.each([
  ['https://yagura.example.com', true],
  ['http://localhost:8080', false],
])('the language cookie of %s is sent over HTTPS only: %s', (publicUrl, isSecure) => {
  const setHeader = vi.fn();
  setLanguageCookie({ setHeader } as unknown as ServerResponse, 'ja', publicUrl);
  const [name, cookie] = setHeader.mock.calls[0]!;
  expect(name).toBe('set-cookie');
  expect(cookie).toMatch(/^lng=ja; Path=\/; /);
  expect(/; Secure$/.test(cookie)).toBe(isSecure);
});
