import { redirect } from '@remix-run/node';
import { useFetcher } from '@remix-run/react';
import { createRemixStub } from '@remix-run/testing';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { usePoll } from './use-poll.ts';

let loads = 0;
let hidden = false;
/** Lets the pending action reply. */
let reply: () => void = () => {};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  loads = 0;
  hidden = false;
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  Reflect.deleteProperty(document, 'hidden');
});

const advanceTime = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

/** Opens a page that polls and whose button submits a fetcher to an action that redirects. */
async function openPage(active = true) {
  const Page = () => {
    usePoll(active);
    const fetcher = useFetcher();
    return <button type="button" onClick={() => fetcher.submit({}, { method: 'post', action: '/start' })} />;
  };
  const loader = () => {
    loads += 1;
    return null;
  };
  const action = async () => {
    await new Promise<void>((resolve) => {
      reply = resolve;
    });
    return redirect('/started');
  };
  const Stub = createRemixStub([
    { id: 'page', path: '/', Component: Page, loader, HydrateFallback: () => null },
    { id: 'start', path: '/start', action },
    { id: 'started', path: '/started', Component: () => 'started' },
  ]);
  const page = render(<Stub initialEntries={['/']} />);
  await advanceTime(0);
  loads = 0;
  return page;
}

it('reloads every two seconds while the tab is visible', async () => {
  await openPage();
  await advanceTime(4000);
  expect(loads).toBe(2);
  hidden = true;
  await advanceTime(4000);
  expect(loads).toBe(2);
});

it('does not reload while inactive', async () => {
  await openPage(false);
  await advanceTime(10_000);
  expect(loads).toBe(0);
});

it('follows the redirect of an action that replies after the next poll', async () => {
  const { getByRole, queryByText } = await openPage();
  await act(async () => getByRole('button').click());
  await advanceTime(5000);
  await act(async () => reply());
  await advanceTime(0);
  expect(queryByText('started')).not.toBeNull();
});
