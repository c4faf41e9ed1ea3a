import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderInRouter } from '../../../ui/test/render.tsx';
import { AcknowledgeButtons } from './acknowledge-buttons.tsx';

const base = '/apps/alerthub/scopes/s';
const raisedAt = '2026-01-01T00:00:00.000Z';
const meta = { note: { kind: 'text', required: false, nullable: false, max: 500 } } as const;
const buttons = (item: object) => (
  <AcknowledgeButtons item={{ scopeId: 's', displayName: 'Shop', ...item }} base={base} meta={meta} />
);

it('are absent while the status is normal', async () => {
  await renderInRouter(<main>{buttons({ raisedAt: null, acknowledgedAt: null })}</main>);
  expect(within(await screen.findByRole('main')).queryByRole('button')).toBe(null);
});

it('ask for a note, and post the time of the status that is shown', async () => {
  const posted = vi.fn();
  const action = (form: FormData) => posted(Object.fromEntries(form));
  await renderInRouter(buttons({ raisedAt, acknowledgedAt: null }), { action, path: base });
  await userEvent.click(await screen.findByRole('button', { name: 'Acknowledge' }));
  const dialog = screen.getByRole('dialog', { name: 'Acknowledge Shop' });
  await userEvent.type(within(dialog).getByLabelText(/Note/), 'on it');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Acknowledge' }));
  await vi.waitFor(() =>
    expect(posted).toHaveBeenCalledWith({ intent: 'acknowledge', scopeId: 's', note: 'on it', raisedAt }),
  );
});

it('withdraw an acknowledgement', async () => {
  await renderInRouter(buttons({ raisedAt, acknowledgedAt: raisedAt }), { language: 'ja' });
  await userEvent.click(await screen.findByRole('button', { name: '確認を解除' }));
  expect(screen.getByRole('dialog', { name: '「Shop」の確認を解除しますか？' })).toBeTruthy();
});
