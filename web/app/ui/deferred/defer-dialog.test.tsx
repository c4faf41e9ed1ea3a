import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderInRouter } from '../test/render.tsx';
import { deferDialog } from './defer-dialog.tsx';

const Palette = ({ onClose }: { onClose: () => void }) => (
  <button type="button" onClick={onClose}>
    Palette
  </button>
);

it('shows the dialog once its code is loaded', async () => {
  const Deferred = deferDialog('palette', async () => ({ default: Palette }));
  const onClose = vi.fn();
  await renderInRouter(<Deferred onClose={onClose} />);
  expect(await screen.findByRole('button', { name: 'Palette' })).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
});

it('closes with a notice if its code cannot be loaded, and leaves the page as it is', async () => {
  const Deferred = deferDialog<{ onClose: () => void }>('palette', () =>
    Promise.reject(new Error('offline')),
  );
  const onClose = vi.fn();
  await renderInRouter(
    <>
      <input aria-label="Name" defaultValue="typed" />
      <Deferred onClose={onClose} />
    </>,
  );
  expect(await screen.findByText('Failed to load data. Please retry a bit later.')).toBeTruthy();
  expect(onClose).toHaveBeenCalledOnce();
  expect(screen.getByRole('textbox')).toHaveProperty('value', 'typed');
});

it('says nothing of code that nobody waits for any more', async () => {
  let fail = (_error: Error) => {};
  const Deferred = deferDialog<{ onClose: () => void }>(
    'palette',
    () => new Promise((_resolve, reject) => (fail = reject)),
  );
  const onClose = vi.fn();
  const { unmount } = await renderInRouter(<Deferred onClose={onClose} />);
  unmount();
  await act(async () => fail(new Error('offline')));
  expect(onClose).not.toHaveBeenCalled();
});
