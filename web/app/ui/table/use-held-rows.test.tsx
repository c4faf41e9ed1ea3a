import { useFetcher } from '@remix-run/react';
import { act, fireEvent, screen } from '@testing-library/react';
import type { FieldMeta } from '@yagura/core/resource/field';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderInRouter } from '../test/render.tsx';
import { DataTable } from './data-table.tsx';
import type { TableColumn } from './table-props.ts';
import { waitingRows } from './use-held-rows.ts';
import { idleAfterMs, idleAfterTouchMs } from './use-in-use.ts';

interface Row {
  id: string;
  name: string;
}
const meta = { kind: 'text', required: true, nullable: false } as FieldMeta;
const columns: TableColumn<Row>[] = [{ name: 'name', label: 'Name', meta, sortable: true }];
const rowsOf = (ids: string, name = 'Row') => [...ids].map((id) => ({ id, name: `${name} ${id}` }));

let hidden = false;
beforeEach(() => {
  hidden = false;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
});
afterEach(() => {
  vi.useRealTimers();
  Reflect.deleteProperty(document, 'hidden');
});

/** A list whose rows the test changes as a reload does. */
async function openList(isSelectable = false) {
  let setRows: (rows: Row[]) => void;
  const List = () => {
    const [rows, set] = useState(rowsOf('abc'));
    const fetcher = useFetcher();
    setRows = set;
    return (
      <>
        <button type="button" onClick={() => fetcher.submit({}, { method: 'post' })}>
          Write
        </button>
        <DataTable<Row>
          id="things"
          caption="Things"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          rowHref={(row) => (rows.includes(row) ? `/things/${row.id}` : undefined)}
          total={rows.length}
          state={{ page: 1, size: 10, sort: [], columns: ['name'] }}
          bulkActions={
            isSelectable
              ? (keys, _done, rows) => (
                  <output>{rows.filter(({ id }) => keys.includes(id)).map(({ name }) => name)}</output>
                )
              : undefined
          }
        />
      </>
    );
  };
  await renderInRouter(<List />);
  return {
    receive: (rows: Row[]) => act(async () => setRows(rows)),
    body: screen.getAllByRole('rowgroup')[1]!,
  };
}
const shown = () => screen.getAllByRole('link', { name: /\d|Row|New/ }).map((link) => link.textContent);
const advanceTime = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const pointer = (node: Element, type: 'move' | 'down' | 'leave', pointerType: string) =>
  act(async () => {
    const event = new Event(`pointer${type}`, { bubbles: type !== 'leave' });
    Object.assign(event, { pointerType });
    (type === 'leave' ? node.closest('.relative')! : node).dispatchEvent(event);
  });

it('shows new rows at once in a list that nobody uses', async () => {
  const { receive } = await openList();
  await receive(rowsOf('xabc'));
  expect(shown()).toEqual(['Row x', 'Row a', 'Row b', 'Row c']);
});

it('holds the rows under the mouse, keeps their values and links up to date, and shows what waits on request', async () => {
  const { receive, body } = await openList();
  await pointer(body, 'move', 'mouse');
  await receive(rowsOf('yxab', 'New'));
  expect(shown()).toEqual(['New a', 'New b', 'Row c']);
  expect(screen.getByText('Row c').closest('a')!.getAttribute('href')).toBe('/things/c');
  expect(screen.getAllByRole('status').map((status) => status.textContent)).toContain(
    'This list has changed. A button at its top shows the changes.',
  );
  fireEvent.click(screen.getByRole('button', { name: '2 new' }));
  expect(shown()).toEqual(['New y', 'New x', 'New a', 'New b']);
  expect(screen.queryByRole('button', { name: /new$/ })).toBeNull();
  await receive(rowsOf('byxa'));
  expect(screen.getByRole('button', { name: 'Show changes' })).toBeTruthy();
});

it('shows what waits when the mouse leaves, rests for a minute, or the page is hidden', async () => {
  const { receive, body } = await openList();
  await pointer(body, 'move', 'mouse');
  await receive(rowsOf('1abc'));
  expect(shown()).toHaveLength(3);
  await pointer(body, 'leave', 'mouse');
  expect(shown()[0]).toBe('Row 1');
  await pointer(body, 'move', 'mouse');
  await receive(rowsOf('21abc'));
  await advanceTime(idleAfterMs - 1);
  expect(shown()[0]).toBe('Row 1');
  await advanceTime(1);
  expect(shown()[0]).toBe('Row 2');
  await pointer(body, 'move', 'mouse');
  await receive(rowsOf('321abc'));
  expect(shown()[0]).toBe('Row 2');
  hidden = true;
  await act(async () => document.dispatchEvent(new Event('visibilitychange')));
  expect(shown()[0]).toBe('Row 3');
});

it('holds the rows while the focus is in them', async () => {
  const { receive } = await openList();
  await act(async () => screen.getByRole('link', { name: 'Row b' }).focus());
  await receive(rowsOf('xabc'));
  expect(shown()).toHaveLength(3);
  await act(async () => screen.getByRole('button', { name: 'Write' }).focus());
  expect(shown()).toHaveLength(4);
});

it('holds the rows for some seconds after a touch or the scrolling after it', async () => {
  const { receive, body } = await openList();
  await pointer(body, 'down', 'touch');
  await pointer(body, 'leave', 'touch');
  await receive(rowsOf('xabc'));
  await advanceTime(idleAfterTouchMs - 1);
  await act(async () => window.dispatchEvent(new Event('scroll')));
  await advanceTime(idleAfterTouchMs - 1);
  expect(shown()).toHaveLength(3);
  await advanceTime(1);
  expect(shown()).toHaveLength(4);
  await act(async () => window.dispatchEvent(new Event('scroll')));
  await receive(rowsOf('yxabc'));
  expect(shown()).toHaveLength(5);
});

it('holds the rows while some are selected', async () => {
  const { receive } = await openList(true);
  const box = screen.getByRole('checkbox', { name: 'Select c' });
  fireEvent.click(box);
  await receive(rowsOf('xyab'));
  await advanceTime(2 * idleAfterMs);
  expect(screen.getByText('Row c', { selector: 'output' })).toBeTruthy();
  expect(shown()).toEqual(['Row a', 'Row b', 'Row c']);
  fireEvent.click(screen.getByRole('button', { name: 'Clear the selection' }));
  expect(shown()).toEqual(['Row x', 'Row y', 'Row a', 'Row b']);
});

it('shows what an own change leaves', async () => {
  const { receive, body } = await openList();
  await pointer(body, 'move', 'mouse');
  fireEvent.click(screen.getByRole('button', { name: 'Write' }));
  await advanceTime(0);
  await receive(rowsOf('ac'));
  expect(shown()).toEqual(['Row a', 'Row c']);
  await receive(rowsOf('xac'));
  expect(shown()).toEqual(['Row a', 'Row c']);
});

const list = (ids: string, total: number, totalIsLeast = false) => ({
  rows: [...ids],
  rowKey: (row: string) => row,
  total,
  totalIsLeast,
});
it.each([
  ['nothing', list('abc', 3), list('abc', 3), null],
  ['an order', list('abc', 3), list('cab', 3), { number: 0, isLeast: false }],
  ['a deletion', list('abc', 3), list('ab', 2), { number: 0, isLeast: false }],
  ['an arrival', list('abc', 3), list('xab', 4), { number: 1, isLeast: false }],
  ['more than a page', list('abc', 3), list('xyz', 40), { number: 37, isLeast: false }],
  [
    'more than are counted',
    list('abc', 10_000, true),
    list('xyz', 10_000, true),
    { number: 3, isLeast: true },
  ],
  ['as many arrivals as deletions', list('abc', 3), list('xab', 3), { number: 1, isLeast: false }],
])('counts what waits after %s', (_name, held, latest, wanted) => {
  expect(waitingRows(held, latest)).toEqual(wanted);
});
