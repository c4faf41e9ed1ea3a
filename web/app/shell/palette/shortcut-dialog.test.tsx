import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import ShortcutDialog from './shortcut-dialog.tsx';

function Page() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Help
      </button>
      {open && <ShortcutDialog onClose={() => setOpen(false)} />}
    </>
  );
}

it('is closed before it is removed, so that the browser returns the focus', async () => {
  const { user } = await renderInRouter(<Page />);
  await user.click(screen.getByRole('button', { name: 'Help' }));
  const dialog = screen.getByRole('dialog') as HTMLDialogElement;
  const close = vi.spyOn(dialog, 'close');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(close).toHaveBeenCalled();
});
