import { redirect } from '@remix-run/node';
import { useFetcher } from '@remix-run/react';
import { createRemixStub } from '@remix-run/testing';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useLiveChanges } from './use-live-changes.ts';

/** Fake EventSource, which this environment lacks; the test plays the server. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: FakeEventSource[] = [];
  readyState = 1;
  readonly address: string;

  constructor(address: string) {
    super();
    this.address = address;
    FakeEventSource.opened.push(this);
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  tell(type: string, data?: unknown): void {
    if (this.readyState === FakeEventSource.CLOSED) return;
    this.dispatchEvent(
      data === undefined ? new Event(type) : new MessageEvent(type, { data: JSON.stringify(data) }),
    );
  }
}

let hidden = false;
let loads = 0;
let watches: string[] = ['scope'];
/** Resolves the delayed loader response. */
let answer: (() => void) | undefined;
let isSlow = false;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  vi.stubGlobal('EventSource', FakeEventSource);
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  FakeEventSource.opened = [];
  hidden = false;
  isSlow = false;
  loads = 0;
  watches = ['scope'];
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document, 'hidden');
});

const advanceTime = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const setVisibility = (to: 'hidden' | 'visible') =>
  act(async () => {
    hidden = to === 'hidden';
    document.dispatchEvent(new Event('visibilitychange'));
  });
const stream = () => FakeEventSource.opened.at(-1)!;

/** Opens the page and waits for its first load and the one after the stream opens. */
async function openPage() {
  const Page = () => {
    useLiveChanges();
    return null;
  };
  const loader = async () => {
    loads += 1;
    if (isSlow)
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
    return { watches };
  };
  const Stub = createRemixStub([
    { id: 'page', path: '*', Component: Page, loader, HydrateFallback: () => null },
  ]);
  render(<Stub initialEntries={['/']} />);
  await advanceTime(0);
  await act(async () => stream().tell('open'));
  await advanceTime(500);
  expect(loads).toBe(2);
  loads = 0;
}

it('loads anew half a second after the last of several changes of what is watched', async () => {
  await openPage();
  expect(stream().address).toBe('/changes');
  stream().tell('change', { resource: 'scope' });
  await advanceTime(400);
  stream().tell('change', { resource: 'scope' });
  await advanceTime(499);
  expect(loads).toBe(0);
  await advanceTime(1);
  expect(loads).toBe(1);
  await advanceTime(60_000);
  expect(loads).toBe(1);
});

it('leaves changes of other resources alone, and text that is no change', async () => {
  await openPage();
  stream().tell('change', { resource: 'rule' });
  stream().dispatchEvent(new MessageEvent('change', { data: 'not JSON' }));
  await advanceTime(60_000);
  expect(loads).toBe(0);
});

it('looks every ten seconds while the stream is broken, and no longer once it is back', async () => {
  await openPage();
  stream().tell('error');
  await advanceTime(20_000);
  expect(loads).toBe(2);
  stream().tell('open');
  await advanceTime(60_000);
  // One reload for changes missed meanwhile.
  expect(loads).toBe(3);
});

it('does not look where nothing is watched', async () => {
  await openPage();
  watches = [];
  stream().tell('change', { resource: 'scope' });
  await advanceTime(500);
  loads = 0;
  stream().tell('error');
  await advanceTime(60_000);
  expect(loads).toBe(0);
});

it('waits for what is being loaded instead of breaking it off', async () => {
  await openPage();
  isSlow = true;
  stream().tell('change', { resource: 'scope' });
  await advanceTime(500);
  expect(loads).toBe(1);
  stream().tell('change', { resource: 'scope' });
  await advanceTime(5000);
  expect(loads).toBe(1);
  isSlow = false;
  await act(async () => answer!());
  await advanceTime(500);
  expect(loads).toBe(2);
});

it('leaves the redirect of a submitted fetcher alone', async () => {
  let redirectNow: (() => void) | undefined;
  const Page = () => {
    useLiveChanges();
    const fetcher = useFetcher();
    return <button type="button" onClick={() => fetcher.submit({}, { method: 'post', action: '/open' })} />;
  };
  const loader = () => ({ watches: ['scope'] });
  const action = async () => {
    await new Promise<void>((resolve) => {
      redirectNow = resolve;
    });
    return redirect('/opened');
  };
  const Stub = createRemixStub([
    { id: 'page', path: '/', Component: Page, loader, HydrateFallback: () => null },
    { id: 'open', path: '/open', action },
    { id: 'opened', path: '/opened', Component: () => 'opened' },
  ]);
  const { getByRole, queryByText } = render(<Stub initialEntries={['/']} />);
  await advanceTime(0);
  await act(async () => stream().tell('open'));
  await advanceTime(500);
  await act(async () => getByRole('button').click());
  // The submission itself changes what the page watches.
  stream().tell('change', { resource: 'scope' });
  await advanceTime(1000);
  await act(async () => redirectNow!());
  await advanceTime(500);
  expect(queryByText('opened')).not.toBeNull();
});

it('rests while the tab is hidden, whatever was due, and looks once when it is seen again', async () => {
  await openPage();
  stream().tell('change', { resource: 'scope' });
  stream().tell('error');
  const before = stream();
  await setVisibility('hidden');
  expect(before.readyState).toBe(FakeEventSource.CLOSED);
  await advanceTime(60_000);
  expect(loads).toBe(0);
  await setVisibility('visible');
  expect(stream()).not.toBe(before);
  await advanceTime(500);
  expect(loads).toBe(1);
  await advanceTime(60_000);
  expect(loads).toBe(1);
});

it('ends with the page', async () => {
  await openPage();
  stream().tell('change', { resource: 'scope' });
  cleanup();
  expect(stream().readyState).toBe(FakeEventSource.CLOSED);
  await setVisibility('visible');
  await advanceTime(60_000);
  expect(loads).toBe(0);
  expect(FakeEventSource.opened).toHaveLength(1);
});
