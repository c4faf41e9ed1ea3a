import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { attachAhead, attachInBrowser, closeReasonInBrowser } from './attach-in-browser.ts';

let requests: string[] = [];

beforeEach(() => {
  requests = [];
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async (path: string) => {
    requests.push(path);
    return Response.json({ attachment: { ticket: `ticket ${requests.length}` } });
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const ticketOf = async (sessionId: string) => (await attachInBrowser(sessionId)).ticket;

test('an attachment that was made ahead is used once, for its session', async () => {
  attachAhead('one');
  expect(await ticketOf('two')).toBe('ticket 2');
  expect(await ticketOf('one')).toBe('ticket 1');
  expect(await ticketOf('one')).toBe('ticket 3');
  expect(requests.map((path) => path.split('/')[4])).toEqual(['one', 'two', 'one']);
});

test('an attachment whose ticket is about to end is made again', async () => {
  attachAhead('one');
  vi.advanceTimersByTime(20_000);
  expect(await ticketOf('one')).toBe('ticket 2');
});

test('what failed ahead is said where it is used', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ problem: { status: 409, title: 'No gateway' } }));
  attachAhead('one');
  await expect(attachInBrowser('one')).rejects.toMatchObject({ status: 409 });
});

test('the close reason of a session is asked for at the address of its attach call', async () => {
  for (const [closeReason, found] of [
    ['disconnected', 'disconnected'],
    [null, ''],
  ]) {
    vi.stubGlobal('fetch', async (path: string) => {
      requests.push(path);
      return Response.json({ closeReason });
    });
    expect(await closeReasonInBrowser('one')).toBe(found);
  }
  expect(requests).toEqual(Array(2).fill('/apps/greac/connect/one/attach'));
});
