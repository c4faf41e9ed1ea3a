import { fireEvent, screen } from '@testing-library/react';
import { message } from '@yagura/core/alerthub/message';
import { notificationSettingEmail } from '@yagura/core/alerthub/notification-setting-email';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import { screenMeta } from '../screen-meta.ts';
import { FilterBuilder } from './filter-builder.tsx';
import './filter-dialog.tsx';

const fields = screenMeta(notificationSettingEmail).filterable;
const choose = (name: string, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } });
const filterAt = (address: string) => new URLSearchParams(address.split('?')[1]).get('filter');

async function opened(filter: string, filterable = fields) {
  const path = `/?${new URLSearchParams({ filter, page: '3', sort: 'name' })}`;
  const drawn = await renderInRouter(<FilterBuilder name="filter" fields={filterable} />, { path });
  fireEvent.click(screen.getByText('Build a filter'));
  await screen.findByLabelText('Row 1: Field');
  return drawn;
}

it('reads a filter back, adds a row and goes to the first page of what comes of it', async () => {
  const { address } = await opened('name co "duty"');
  expect(screen.getByLabelText<HTMLInputElement>('Row 1: Value').value).toBe('duty');
  fireEvent.click(screen.getByText('Add a row'));
  choose('Row 2: Field', 'disabled');
  choose('Row 2: Value', 'false');
  choose('Combine rows with', 'or');
  fireEvent.submit(document.querySelector('form')!);
  expect(filterAt(address())).toBe('name co "duty" or disabled eq false');
  expect(address()).not.toContain('page=');
  expect(address()).toContain('sort=name');
});

describe('a reference', () => {
  const slots = { receiveSlotId: screenMeta(message).filterable.receiveSlotId! };
  const id = '01a1fea7-056f-700d-b199-539c2daf0001';
  afterEach(() => vi.unstubAllGlobals());

  it('is chosen by name', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (path: string) => {
      asked.push(path);
      return Response.json({
        options: [
          [id, 'Core switches'],
          ['other', 'Mail'],
        ],
        hasMore: false,
      });
    });
    const { address, user } = await opened(`receiveSlotId eq "${id}"`, slots);
    const value = await screen.findByLabelText<HTMLSelectElement>('Row 1: Value');
    expect(value.selectedOptions[0]!.textContent).toBe('Core switches');
    expect(asked).toEqual([`/reference-options/receive-slot?text=&id=${id}`]);
    await user.selectOptions(value, 'Mail');
    fireEvent.submit(document.querySelector('form')!);
    expect(filterAt(address())).toBe('receiveSlotId eq "other"');
  });

  it('is typed as an id where names cannot be listed', async () => {
    vi.stubGlobal('fetch', async () => new Response(null, { status: 403 }));
    await opened(`receiveSlotId eq "${id}"`, slots);
    expect((await screen.findByLabelText<HTMLInputElement>('Row 1: Value')).value).toBe(id);
  });
});

it('says that a text beyond rows is edited by hand', async () => {
  await opened('not (name eq "a")');
  expect(screen.getByRole('status', { hidden: true }).textContent).toContain('is edited as text');
});
