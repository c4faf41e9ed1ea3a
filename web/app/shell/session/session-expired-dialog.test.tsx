import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { otherUser, signInRequiredHeader, watchSession } from '../../signin/browser/watch-session.ts';
import { renderInRouter } from '../../ui/test/render.tsx';
import { SessionExpiredDialog } from './session-expired-dialog.tsx';

/** Value of the header of the next replies. */
let required: string | undefined;
beforeEach(() => {
  const own = window.fetch;
  window.fetch = async () =>
    new Response('', { headers: required === undefined ? {} : { [signInRequiredHeader]: required } });
  watchSession(window as unknown as Window & typeof globalThis);
  return () => {
    window.fetch = own;
  };
});

/** Sends a write that is held, and returns its reply. */
async function sendHeld(reason: string): Promise<Promise<Response>[]> {
  required = reason;
  await renderInRouter(<SessionExpiredDialog />);
  let reply: Promise<Response> | undefined;
  await act(async () => {
    reply = window.fetch('/scopes.data', { method: 'POST' });
  });
  return [reply!];
}

it('leads to the sign-in when the session has ended, and sends again', async () => {
  const [reply] = await sendHeld('required');
  expect(screen.getByRole('dialog', { name: 'Your session has ended' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Sign in in a new tab' }).getAttribute('target')).toBe('_blank');
  expect(screen.queryByRole('button', { name: 'Reload' })).toBeNull();
  required = undefined;
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Send again' })));
  expect((await reply!).headers.has(signInRequiredHeader)).toBe(false);
});

it('tells of another user who has signed in, and can load the page for that user', async () => {
  await sendHeld(otherUser);
  expect(screen.getByRole('dialog', { name: 'Another user has signed in' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open a new tab' }).getAttribute('target')).toBe('_blank');
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
  expect(reload).toHaveBeenCalledTimes(1);
  reload.mockRestore();
});
