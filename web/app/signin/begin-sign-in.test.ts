import { expect, test } from 'vitest';
import { clearOldestPending } from './begin-sign-in.server.ts';

const context = {
  origin: 'https://console.test',
  cookieSecret: new TextEncoder().encode('a secret of this test'),
};

test.each([
  [0, 0],
  [4, 0],
  [5, 1],
  [7, 3],
])('of %i sign-ins in other tabs, a new one ends the oldest %i', (pending, ended) => {
  const names = Array.from({ length: pending }, (_, index) => `__Host-yagura-signin-tab${index}.0`);
  const cookie = ['lng=ja', ...names.map((name) => `${name}=x`)].join('; ');
  const request = new Request('https://console.test/', { headers: { cookie } });
  expect(clearOldestPending(request, context)).toEqual(
    names.slice(0, ended).map((name) => `${name}=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0`),
  );
});
