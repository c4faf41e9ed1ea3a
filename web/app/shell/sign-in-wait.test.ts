// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { onWaiting, signInHeader, watchSessions } from './sign-in-wait.ts';

let signedIn: boolean;
let asked: string[];
const own = globalThis.fetch;
beforeEach(() => {
  document.body.innerHTML = '<form method="post"><input></form>';
  signedIn = false;
  asked = [];
  window.fetch = async (input, init) => {
    asked.push(`${init?.method ?? 'GET'} ${String(input)} ${String(init?.body ?? '')}`.trim());
    return new Response('', { headers: signedIn ? {} : { [signInHeader]: 'required' } });
  };
  watchSessions(window as unknown as Window & typeof globalThis);
  return () => {
    window.fetch = own;
  };
});

it('sends a write again, as it was, once somebody has signed in', async () => {
  const waiting: (() => void)[] = [];
  const stop = onWaiting((again) => waiting.push(again));
  const reply = window.fetch('/scopes.data', { method: 'POST', body: 'displayName=web' });
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]!();
  await expect.poll(() => waiting.length).toBe(2);
  signedIn = true;
  waiting[1]!();
  expect((await reply).headers.has(signInHeader)).toBe(false);
  expect(asked).toEqual(Array(3).fill('POST /scopes.data displayName=web'));
  stop();
});

it('lets a read go to the sign-in, unless something was typed on the page', async () => {
  const waiting: (() => void)[] = [];
  const stop = onWaiting((again) => waiting.push(again));
  expect((await window.fetch('/scopes.data')).headers.has(signInHeader)).toBe(true);
  document.querySelector('input')!.dispatchEvent(new Event('input', { bubbles: true }));
  const reply = window.fetch('/scopes.data');
  await expect.poll(() => waiting.length).toBe(1);
  signedIn = true;
  waiting[0]!();
  await reply;
  stop();
});

it('holds nothing where nobody would tell of it', async () => {
  expect((await window.fetch('/scopes.data', { method: 'POST' })).headers.has(signInHeader)).toBe(true);
});
