// The top of a live session, with a stream that cannot attach.
import { act, screen, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import { initialSessionState, type SessionController, type SessionState } from './session-controller.ts';
import { SessionHeader } from './session-header.tsx';
import { useSession } from './use-session.ts';

afterEach(() => void vi.unstubAllGlobals());

const noOutput = { write: () => undefined, clear: () => undefined, resize: () => undefined };

function Session() {
  const [controller, state] = useSession('s', 'control');
  useEffect(() => controller.start(noOutput), [controller]);
  return (
    <SessionHeader
      {...{ toolbar: null, name: 'web1', destinationId: 'd', mayOpen: true, mayClose: true, items: [] }}
      {...{ controller, state }}
    />
  );
}

test('a session that lost its connection attaches as soon as the browser is online again', async () => {
  let attached = 0;
  vi.stubGlobal('fetch', async () => {
    attached += 1;
    throw new TypeError('offline');
  });
  const { unmount } = await renderInRouter(<Session />);
  await screen.findByText('Reconnecting…', { exact: false });
  const before = attached;
  act(() => void dispatchEvent(new Event('online')));
  expect(attached).toBe(before + 1);
  unmount();
  dispatchEvent(new Event('online'));
  expect(attached).toBe(before + 1);
});

test('a session that has ended cannot be ended again', async () => {
  let reply = () => Response.json({ problem: { status: 503, title: 'GATEWAY_AWAY' } });
  vi.stubGlobal('fetch', async () => reply());
  await renderInRouter(<Session />);
  await screen.findByText('Reconnecting…', { exact: false });
  expect(screen.getByRole('button', { name: 'End' })).toBeTruthy();
  reply = () => Response.json({ problem: { status: 409, title: 'SESSION_CLOSED' } });
  act(() => void dispatchEvent(new Event('online')));
  await screen.findByText('The session has ended.', { exact: false });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'End' })).toBeNull());
});

const failed = { state: 'failed', code: 'SIGN_IN_FAILED', params: {} } as const;
function showFailed(status: SessionState['status']) {
  const controller = {} as SessionController;
  return renderInRouter(
    <SessionHeader
      {...{ toolbar: null, name: 'web1', destinationId: 'd', mayOpen: true, mayClose: true, items: [] }}
      {...{ controller, state: { ...initialSessionState, status } }}
    />,
    { path: '/apps/greac/connect/s?mode=watch' },
  );
}

test('a session that has failed cannot be ended, and connecting again opens another', async () => {
  await showFailed({ ...failed, isClosed: true });
  expect(screen.queryByRole('button', { name: 'End' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Connect again' })).toBeTruthy();
});

test('who could not join a session that is open connects to the same session again', async () => {
  await showFailed({ ...failed, code: 'FORBIDDEN' });
  expect(screen.getByRole('button', { name: 'End' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Connect again' })).toBeNull();
  const link = screen.getByRole('link', { name: 'Connect again' });
  expect(link.getAttribute('href')).toBe('/apps/greac/connect/s?mode=watch');
});

test.each([
  ['en', () => new Response(null, { status: 401 }), 'Not connected Sign in to continue'],
  ['ja', () => new Response(null, { status: 401 }), '続けるにはサインインしてください'],
  ['ja', () => Promise.reject(new TypeError('offline')), 'サーバーに接続できません'],
] as const)(
  'why a session cannot attach is told in the language of the page: %s %#',
  async (language, reply, text) => {
    vi.stubGlobal('fetch', async () => reply());
    const { container } = await renderInRouter(<Session />, { language });
    await waitFor(() => expect(container.textContent).toContain(text));
    expect(container.textContent).not.toContain('error:');
  },
);
