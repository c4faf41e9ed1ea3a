// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import { pageUserHeader, sendPageUser } from './page-user.ts';
import {
  onBlockedRequest,
  otherUser,
  signInRequiredHeader,
  signOutPath,
  watchSession,
} from './watch-session.ts';

let signedIn: boolean;
/** Id of the user who is signed in, if the page has told its own. */
let signedInUser: string | undefined;
let requests: string[];
const own = globalThis.fetch;
beforeEach(() => {
  document.body.innerHTML = '<form method="post"><input></form>';
  signedIn = false;
  signedInUser = undefined;
  requests = [];
  window.fetch = async (input, init) => {
    requests.push(`${init?.method ?? 'GET'} ${String(input)} ${String(init?.body ?? '')}`.trim());
    const shown = new Headers(init?.headers).get(pageUserHeader);
    if (shown && signedInUser && shown !== signedInUser)
      return new Response('', { headers: { [signInRequiredHeader]: otherUser } });
    return new Response('', { headers: signedIn ? {} : { [signInRequiredHeader]: 'required' } });
  };
  watchSession(window as unknown as Window & typeof globalThis);
  sendPageUser(window as unknown as Window & typeof globalThis);
  return () => {
    window.fetch = own;
  };
});

it('sends a write again, as it was, once somebody has signed in', async () => {
  const waiting: (() => void)[] = [];
  const stop = onBlockedRequest((retry) => waiting.push(retry));
  const reply = window.fetch('/scopes.data', { method: 'POST', body: 'displayName=web' });
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]!();
  await expect.poll(() => waiting.length).toBe(2);
  signedIn = true;
  waiting[1]!();
  expect((await reply).headers.has(signInRequiredHeader)).toBe(false);
  expect(requests).toEqual(Array(3).fill('POST /scopes.data displayName=web'));
  stop();
});

it('lets a read go to the sign-in, unless something was typed on the page', async () => {
  const waiting: (() => void)[] = [];
  const stop = onBlockedRequest((retry) => waiting.push(retry));
  expect((await window.fetch('/scopes.data')).headers.has(signInRequiredHeader)).toBe(true);
  document.querySelector('input')!.dispatchEvent(new Event('input', { bubbles: true }));
  const reply = window.fetch('/scopes.data');
  await expect.poll(() => waiting.length).toBe(1);
  signedIn = true;
  waiting[0]!();
  await reply;
  stop();
});

it('holds nothing where nobody would tell of it', async () => {
  expect((await window.fetch('/scopes.data', { method: 'POST' })).headers.has(signInRequiredHeader)).toBe(
    true,
  );
});

it('holds a write while another user is signed in, until the user of the page is', async () => {
  signedIn = true;
  signedInUser = 'bob';
  document.body.innerHTML = '<div data-user="ann"><main></main></div>';
  const waiting: (() => void)[] = [];
  const stop = onBlockedRequest((retry) => waiting.push(retry));
  const reply = window.fetch('/scopes.data', { method: 'POST', headers: { accept: '*/*' } });
  await expect.poll(() => waiting.length).toBe(1);
  signedInUser = 'ann';
  waiting[0]!();
  expect((await reply).headers.has(signInRequiredHeader)).toBe(false);
  expect(requests).toHaveLength(2);
  stop();
});

it('loads the page anew that reads as another user, unless there is input to keep', async () => {
  signedIn = true;
  signedInUser = 'bob';
  window.history.pushState(null, '', '/page-of-ann');
  document.body.innerHTML = '<main data-user="ann"><form method="post"><input></form></main>';
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  const stop = onBlockedRequest(() => undefined);
  await window.fetch('/scopes.data');
  expect(reload).toHaveBeenCalledTimes(1);
  document.querySelector('input')!.dispatchEvent(new Event('input', { bubbles: true }));
  void window.fetch('/scopes.data');
  await expect.poll(() => requests.length).toBe(2);
  expect(reload).toHaveBeenCalledTimes(1);
  stop();
  reload.mockRestore();
});

it('leads nobody to the sign-in who signs out, until the page is shown again', async () => {
  window.history.pushState(null, '', '/page-without-input');
  const waiting: (() => void)[] = [];
  const stop = onBlockedRequest((retry) => waiting.push(retry));
  const submit = (path: string) => {
    const form = document.createElement('form');
    form.action = path;
    document.body.append(form);
    form.dispatchEvent(new Event('submit', { bubbles: true }));
  };
  /** Reads and writes that are answered at once. */
  const answered = async () => {
    const paths: string[] = [];
    const note = (reply: Promise<Response>, path: string) => void reply.then(() => paths.push(path));
    for (const method of ['GET', 'POST']) note(window.fetch('/scopes.data', { method }), method);
    await new Promise((resolve) => setTimeout(resolve));
    return paths;
  };
  submit('/scopes');
  expect(await answered()).toEqual(['GET']);
  expect(waiting).toHaveLength(1);
  submit(signOutPath);
  expect(await answered()).toEqual([]);
  signedIn = true;
  expect(await answered()).toEqual(['GET', 'POST']);
  signedIn = false;
  window.dispatchEvent(new Event('pageshow'));
  expect(await answered()).toEqual(['GET']);
  expect(waiting).toHaveLength(2);
  stop();
});
