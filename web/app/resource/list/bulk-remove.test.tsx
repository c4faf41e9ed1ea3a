import { useLoaderData } from '@remix-run/react';
import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { DataTable } from '../../ui/table/data-table.tsx';
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

function Table() {
  const rows = useLoaderData() as { id: string }[];
  return (
    <DataTable
      {...{
        id: 'things',
        caption: 'Things',
        rows,
        rowKey: ({ id }: { id: string }) => id,
        total: rows.length,
        rowTitle: 'id',
      }}
      columns={[
        { name: 'id', label: 'ID', meta: { kind: 'text', required: true, nullable: false }, sortable: false },
      ]}
      state={{ page: 1, size: 10, sort: [], columns: ['id'] }}
      bulkActions={(ids, done) => (
        <BulkRemove ids={ids} titles={{ a: 'Alpha' }} screen="/things" onDone={done} />
      )}
    />
  );
}

it('shows the result when all selected rows have left the list', async () => {
  let rows = [{ id: 'a' }, { id: 'b' }];
  const { user } = await renderInRouter(<Table />, {
    path: '/things',
    loader: () => rows,
    action: (form) => {
      rows = rows.filter(({ id }) => !form.getAll('ids').includes(id));
      return { removals: form.getAll('ids').map((id) => ({ id: String(id), reason: null })) };
    },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select a' }));
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await user.click(screen.getAllByRole('button', { name: 'Delete' }).at(-1)!);
  const dialog = await screen.findByRole('dialog', { name: '1 of 1 deleted' });
  expect(within(dialog).getByText('Alpha')).toBeTruthy();
  expect(screen.queryByText('1 selected')).toBeNull();
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
});
