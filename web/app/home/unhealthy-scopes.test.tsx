// The scopes of the home page that are not normal, and the button that acknowledges one.
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { scope } from '@yagura/core/alerthub/scope';
import { itemFields } from '@yagura/core/resource/define-resource';
import { expect, test, vi } from 'vitest';
import { acknowledgeFields } from '../alerthub/screens/scopes/acknowledge.server.ts';
import { renderInRouter } from '../ui/test/render.tsx';
import { UnhealthyScopes } from './unhealthy-scopes.tsx';

const raisedAt = '2026-01-01T00:00:00.000Z';
const scopes = {
  shop: { displayName: 'Shop', mutedUntil: null, raisedAt },
  web: { displayName: 'Web', mutedUntil: null, raisedAt },
};
const rows = [
  { scopeId: 'shop', displayName: 'Shop', status: 'incident', severity: 3, acknowledgedBy: null },
  { scopeId: 'web', displayName: 'Web', status: 'incident', severity: 2, acknowledgedBy: 'Hana' },
];
const data = (fields: ReturnType<typeof acknowledgeFields> | null) => ({
  ...{ name: 'scope', id: 'scopeId', fields: itemFields(scope), rows, scopes, total: 2, references: {} },
  ...{ hrefs: { shop: '/shop', web: '/web' }, acknowledgeFields: fields },
});

test('the list has a button for what nobody has acknowledged, which asks for a note and names the status that is shown', async () => {
  const posted = vi.fn();
  const list = <UnhealthyScopes data={data(acknowledgeFields()) as never} caption="Scopes" />;
  await renderInRouter(list, { action: (form) => posted(Object.fromEntries(form)) });
  expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Acknowledge: Shop',
  ]);
  expect(screen.getByText('Hana')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Acknowledge: Shop' }));
  const dialog = await screen.findByRole('dialog', { name: 'Acknowledge Shop' });
  await userEvent.type(within(dialog).getByLabelText(/Note/), 'on it');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Acknowledge' }));
  const form = { intent: 'acknowledge', scopeId: 'shop', note: 'on it', raisedAt };
  await vi.waitFor(() => expect(posted).toHaveBeenCalledWith(form));
});

test('the list has no button for users who may not acknowledge', async () => {
  await renderInRouter(<UnhealthyScopes data={data(null) as never} caption="Scopes" />);
  expect(screen.queryByRole('button')).toBe(null);
});
