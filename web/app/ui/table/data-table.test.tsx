import { act, screen, waitFor, within } from '@testing-library/react';
import type { FieldMeta } from '@yagura/core/resource/field';
import { beforeEach, describe, expect, it } from 'vitest';
import { ResourceHeader } from '../page/resource-header.tsx';
import { renderInRouter } from '../test/render.tsx';
import { DataTable } from './data-table.tsx';
import type { TableColumn } from './table-props.ts';
import { parseSort, type TableState } from './table-state.ts';

const field = (kind: FieldMeta['kind'], more: Partial<FieldMeta> = {}): FieldMeta => ({
  kind,
  required: true,
  nullable: false,
  ...more,
});

const columns: TableColumn[] = [
  {
    name: 'status',
    label: 'Status',
    meta: field('choice', { options: ['normal'], tones: { normal: 'success' } }),
    sortable: true,
  },
  { name: 'displayName', label: 'Name', meta: field('text'), sortable: true },
  { name: 'size', label: 'Size', meta: field('bytes'), sortable: true },
  { name: 'note', label: 'Note', meta: field('text'), sortable: false },
];
const rows = [
  { id: 'a', status: 'normal', displayName: 'Alpha', size: 1536, note: 'x' },
  { id: 'b', status: 'lost', displayName: 'Beta', size: 0, note: '' },
];
const state = (more: Partial<TableState> = {}): TableState => ({
  page: 1,
  size: 10,
  sort: [],
  columns: ['status', 'displayName', 'size'],
  ...more,
});

function table(more: Partial<TableState> = {}, total = 2, shown = rows) {
  return (
    <DataTable
      id="things"
      caption="Things"
      columns={columns}
      rows={shown}
      rowKey={(row) => String(row.id)}
      rowHref={(row) => `/things/${row.id}`}
      total={total}
      state={state(more)}
    />
  );
}

beforeEach(() => localStorage.clear());

describe('DataTable', () => {
  it('shows values by their kind and leads to each row by a column that names it', async () => {
    await renderInRouter(table());
    const link = screen.getByRole('link', { name: 'Alpha' });
    expect(link.getAttribute('href')).toBe('/things/a');
    expect(screen.getByText('1.5 KiB')).toBeTruthy();
    expect(screen.getByText('Normal')).toBeTruthy();
    expect(screen.getByText('Error')).toBeTruthy();
    expect(screen.queryByRole('columnheader', { name: 'Note' })).toBeNull();
  });

  it('sorts by one column on a click and by several with Shift or the second sign', async () => {
    const { user, address } = await renderInRouter(table({ sort: parseSort('displayName'), page: 3 }), {
      path: '/?page=3&search=x',
    });
    const name = screen.getByRole('columnheader', { name: /^Name/ });
    expect(name.getAttribute('aria-sort')).toBe('ascending');
    await user.click(within(name).getByTitle('Sort by Name'));
    expect(address()).toBe('/?search=x&sort=-displayName');
    const size = screen.getByRole('columnheader', { name: /^Size/ });
    await user.keyboard('{Shift>}');
    await user.click(within(size).getByTitle('Sort by Size'));
    await user.keyboard('{/Shift}');
    expect(new URLSearchParams(address().slice(1)).get('sort')).toBe('displayName,size');
    await user.click(within(size).getByRole('link', { name: 'Also sort by Size' }));
    expect(new URLSearchParams(address().slice(1)).get('sort')).toBe('displayName,size');
  });

  it.each([
    ['en', 'Sort by', 'Size, descending', 'Columns'],
    ['ja', '並べ替え', 'Size（降順）', '列'],
  ] as const)('sorts in the menu as well, for phones, in %s', async (language, label, order, menu) => {
    const { user, address } = await renderInRouter(table({ sort: parseSort('size') }), {
      path: '/?sort=size&page=3',
      language,
    });
    await user.click(screen.getByText(menu));
    const select = screen.getByRole('combobox', { name: label }) as HTMLSelectElement;
    expect(select.value).toBe('size');
    expect([...select.options].map((option) => option.value)).not.toContain('note');
    await user.selectOptions(select, order);
    expect(address()).toBe('/?sort=-size');
  });

  it('numbers the keys of a sort by several', async () => {
    await renderInRouter(table({ sort: parseSort('-size,displayName') }));
    expect(screen.getByRole('img', { name: 'descending, key 1' })).toBeTruthy();
    expect(screen.getByRole('img', { name: 'ascending, key 2' })).toBeTruthy();
  });

  it('pages by links that keep the rest of the address', async () => {
    await renderInRouter(table({ page: 2, size: 5 }, 23), { path: '/?page=2&size=5&sort=size' });
    expect(screen.getByText('6–10 of 23')).toBeTruthy();
    const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(href('First page')).toBe('/?size=5&sort=size');
    expect(href('Next page')).toBe('/?page=3&size=5&sort=size');
    expect(href('Last page')).toBe('/?page=5&size=5&sort=size');
  });

  it('leads back from a page behind the last one', async () => {
    await renderInRouter(table({ page: 9 }, 12, []), { path: '/?page=9' });
    expect(screen.getByText('0–0 of 12')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Previous page' }).getAttribute('href')).toBe('/?page=2');
    expect(screen.queryByRole('link', { name: 'Next page' })).toBeNull();
  });

  it.each([
    ['en', 'The list has fewer pages', 'Last page'],
    ['ja', 'この一覧にそのページはありません', '最後のページ'],
  ] as const)('does not call the list empty behind its last page in %s', async (language, text, last) => {
    await renderInRouter(table({ page: 9 }, 12, []), { path: '/?page=9&sort=size', language });
    const box = screen.getByText(text).parentElement!;
    expect(within(box).getByRole('link', { name: last }).getAttribute('href')).toBe('/?page=2&sort=size');
    expect(screen.queryByText(/No data|データがありません/)).toBeNull();
  });

  it('is where the back link of an item leads, with its page and filter', async () => {
    const header = <ResourceHeader title="Alpha" backHref="/lists/things" />;
    const back = () => screen.getByRole('link', { name: 'Back' }).getAttribute('href');
    const direct = await renderInRouter(header);
    expect(back()).toBe('/lists/things');
    direct.unmount();
    const list = await renderInRouter(table({ page: 2 }, 40), { path: '/lists/things?page=2&filter=x' });
    list.unmount();
    await renderInRouter(header);
    expect(back()).toBe('/lists/things?page=2&filter=x');
  });

  it('keeps chosen columns and page size for the next visit', async () => {
    const { user, address } = await renderInRouter(table());
    await user.click(screen.getByText('Columns'));
    await user.click(screen.getByRole('checkbox', { name: 'Note' }));
    expect(address()).toBe('/?columns=status%2CdisplayName%2Csize%2Cnote');
    await user.selectOptions(screen.getByLabelText('Rows per page'), '50');
    expect(JSON.parse(localStorage.getItem('table:things')!)).toEqual({
      size: 50,
      columns: ['status', 'displayName', 'size', 'note'],
    });
  });

  it('takes up stored choices where the address says nothing', async () => {
    localStorage.setItem('table:things', JSON.stringify({ size: 25, columns: ['displayName', 'note'] }));
    const { address } = await renderInRouter(table());
    await waitFor(() => expect(address()).toBe('/?size=25'));
    expect(screen.getByRole('columnheader', { name: 'Note' })).toBeTruthy();
    expect(screen.queryByRole('columnheader', { name: /^Size/ })).toBeNull();
  });

  it('does not let stored choices win over the address', async () => {
    localStorage.setItem('table:things', JSON.stringify({ size: 25, columns: ['note'] }));
    const { address } = await renderInRouter(table(), { path: '/?size=10&columns=status,displayName,size' });
    expect(screen.queryByRole('columnheader', { name: 'Note' })).toBeNull();
    expect(address()).toBe('/?size=10&columns=status,displayName,size');
  });

  it('keeps the last visible column', async () => {
    const { user } = await renderInRouter(table({ columns: ['displayName'] }));
    await user.click(screen.getByText('Columns'));
    expect(screen.getByRole('checkbox', { name: 'Name' })).toHaveProperty('disabled', true);
  });

  it('moves between rows by keys and opens one by Enter', async () => {
    const { user, address } = await renderInRouter(table());
    screen.getByRole('link', { name: 'Alpha' }).focus();
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement?.textContent).toBe('Beta');
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement?.textContent).toBe('Beta');
    await user.keyboard('{Home}{End}{Enter}');
    await waitFor(() => expect(address()).toBe('/things/b'));
  });

  it('keeps the order of columns that somebody chose', async () => {
    const { user, address } = await renderInRouter(table({ columns: ['size', 'displayName'] }));
    const heads = () => screen.getAllByRole('columnheader').map((head) => head.textContent);
    expect(heads()).toEqual(['Size', 'Name']);
    await user.click(screen.getByText('Columns'));
    await user.click(screen.getByRole('button', { name: 'Move Name to the left' }));
    expect(address()).toBe('/?columns=displayName%2Csize');
  });

  it('ticks rows by clicks, ranges and Space, and hands them over', async () => {
    const many = Array.from({ length: 4 }, (_, index) => ({
      ...rows[0]!,
      id: `r${index}`,
      displayName: `Row ${index}`,
    }));
    const { user } = await renderInRouter(
      <DataTable
        id="things"
        caption="Things"
        columns={columns}
        rows={many}
        rowKey={(row) => String(row.id)}
        rowTitle="displayName"
        rowHref={(row) => `/things/${row.id}`}
        total={4}
        state={state()}
        bulkActions={(keys) => <output>{keys.join()}</output>}
      />,
    );
    const tick = (name: string) => screen.getByRole('checkbox', { name });
    expect(screen.queryByText(/selected/)).toBeNull();
    await user.click(tick('Select Row 1'));
    await user.keyboard('{Shift>}');
    await user.click(tick('Select Row 3'));
    await user.keyboard('{/Shift}');
    expect(screen.getByText('r1,r2,r3')).toBeTruthy();
    expect(screen.getByText('3 selected')).toBeTruthy();
    screen.getByRole('link', { name: 'Row 2' }).focus();
    await user.keyboard(' ');
    expect(screen.getByText('r1,r3')).toBeTruthy();
    await user.click(tick('Select all rows of this page'));
    expect(screen.getByText('r0,r1,r2,r3')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Clear the selection' }));
    expect(screen.queryByText(/selected/)).toBeNull();
  });

  it('draws a long page by window and says how long it is', async () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ ...rows[0]!, id: `r${index}` }));
    await renderInRouter(table({ size: 500 }, 500, many));
    const grid = screen.getByRole('table');
    expect(grid.getAttribute('aria-rowcount')).toBe('501');
    const drawn = within(grid).getAllByRole('link', { name: 'Alpha' });
    expect(drawn.length).toBeGreaterThan(10);
    expect(drawn.length).toBeLessThan(120);
    expect(drawn[0]!.closest('tr')!.getAttribute('aria-rowindex')).toBe('2');
  });

  it('has all rows of a long page on paper', async () => {
    const many = Array.from({ length: 150 }, (_, index) => ({ ...rows[0]!, id: `r${index}` }));
    await renderInRouter(table({ size: 500 }, 150, many));
    const drawn = () => screen.getAllByRole('link', { name: 'Alpha' }).length;
    expect(drawn()).toBeLessThan(150);
    window.dispatchEvent(new Event('beforeprint'));
    expect(drawn()).toBe(150);
    act(() => void window.dispatchEvent(new Event('afterprint')));
    expect(drawn()).toBeLessThan(150);
  });

  it('remembers dense rows', async () => {
    const { user } = await renderInRouter(table());
    await user.click(screen.getByText('Columns'));
    await user.click(screen.getByRole('checkbox', { name: 'Compact rows' }));
    expect(JSON.parse(localStorage.getItem('table:things')!)).toEqual({ dense: true });
  });

  it('says in Japanese what it says in English', async () => {
    await renderInRouter(table({ sort: parseSort('size') }, 0, []), { language: 'ja' });
    expect(screen.getByText('データがありません')).toBeTruthy();
    expect(screen.getByText('0件中0〜0件')).toBeTruthy();
  });
});
