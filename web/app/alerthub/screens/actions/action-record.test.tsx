import { screen } from '@testing-library/react';
import { actionRecord } from '@yagura/core/alerthub/action-record';
import { expect, it } from 'vitest';
import { screenMeta } from '../../../resource/screen-meta.ts';
import { renderInRouter } from '../../../ui/test/render.tsx';
import ActionRecord from './action-record.tsx';

const data = {
  meta: screenMeta(actionRecord),
  screen: '/apps/alerthub/action-records',
  item: { actionRecordId: 'd', messageId: 'm', scopeId: 's', actionId: 'a', status: 'succeeded' },
  permissions: {},
  crumbs: [],
  command: '',
};
const scope = { name: 'Shop', href: '/apps/alerthub/scopes/s' };

it.each([
  ['the scope if the message is deleted', { message: { m: null }, scope: { s: scope } }, scope.href],
  ['home if nothing is left', { message: { m: null }, scope: { s: null }, action: { a: null } }, '/'],
])('leads back to %s', async (_where, references, href) => {
  await renderInRouter(<ActionRecord />, { loader: () => ({ ...data, references }) });
  expect((await screen.findByLabelText('Back')).getAttribute('href')).toBe(href);
});

it('does not call the content of a delivery sent, which may have failed', async () => {
  const item = { ...data.item, status: 'failed' };
  await renderInRouter(<ActionRecord />, { loader: () => ({ ...data, item, references: {} }) });
  expect(await screen.findByRole('heading', { name: 'Content' })).toBeTruthy();
});
