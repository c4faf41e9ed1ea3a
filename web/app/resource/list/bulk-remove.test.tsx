import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import { BulkRemove } from './bulk-remove.tsx';

function List() {
  const [ids, setIds] = useState(['a', 'b']);
  return (
    <section aria-label="Things">
      {ids.length > 0 && (
        <BulkRemove ids={ids} titles={{ a: 'Alpha', b: 'Beta' }} screen="/things" onDone={() => setIds([])} />
      )}
    </section>
  );
}

it('names what will be deleted before it is deleted', async () => {
  const { user } = await renderInRouter(<List />);
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  const dialog = screen.getByRole('dialog', { name: 'Delete 2 items?' });
  expect(
    within(dialog)
      .getAllByRole('listitem', { hidden: true })
      .map((item) => item.textContent),
  ).toEqual(['Alpha', 'Beta']);
});

it('leaves the focus at the list when the last selected row is deleted', async () => {
  const { user } = await renderInRouter(<List />, {
    path: '/things',
    action: (form) => ({ removals: form.getAll('ids').map((id) => ({ id, reason: null })) }),
  });
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await user.click(screen.getAllByRole('button', { name: 'Delete' }).at(-1)!);
  expect(await screen.findByText('Alpha')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Things' })));
});
