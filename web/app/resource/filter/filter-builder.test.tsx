import { fireEvent, screen } from '@testing-library/react';
import { notificationSettingEmail } from '@yagura/core/alerthub/notification-setting-email';
import { expect, it } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import { screenMeta } from '../screen-meta.ts';
import { FilterBuilder } from './filter-builder.tsx';
import './filter-dialog.tsx';

const fields = screenMeta(notificationSettingEmail).filterable;
const choose = (name: string, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } });
const filterAt = (address: string) => new URLSearchParams(address.split('?')[1]).get('filter');

async function opened(filter: string) {
  const path = `/?${new URLSearchParams({ filter, page: '3', sort: 'name' })}`;
  const drawn = await renderInRouter(<FilterBuilder name="filter" fields={fields} />, { path });
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

it('says that a text beyond rows is edited by hand', async () => {
  await opened('not (name eq "a")');
  expect(screen.getByRole('status', { hidden: true }).textContent).toContain('is edited as text');
});
