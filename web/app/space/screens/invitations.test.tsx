import { screen, within } from '@testing-library/react';
import { invitation } from '@yagura/core/space/invitation';
import { expect, it } from 'vitest';
import { screenMeta } from '../../resource/screen-meta.ts';
import { renderInRouter } from '../../ui/test/render.tsx';
import Invitations from './invitations.tsx';

const data = {
  meta: screenMeta(invitation),
  screen: '/preference/invitations',
  rows: ['a', 'b', 'c'].map((name) => ({ invitationId: name, email: `${name}@example.com`, roles: [] })),
  hrefs: {},
  total: 3,
  state: { page: 1, size: 10, sort: [], columns: ['email'] },
  references: {},
  permissions: {},
  command: '',
  mails: {
    'a@example.com': { mailId: 'm1', state: 'failed' },
    'b@example.com': { mailId: 'm2', state: 'stored' },
    'c@example.com': { mailId: 'm3', state: 'sent' },
  },
  mailScreen: '/preference/mail-log',
  mayResend: true,
};

it('says which mail was not sent, and leads to the reason', async () => {
  await renderInRouter(<Invitations />, { loader: () => data });
  const links = await screen.findAllByRole('link', { name: /^Email not sent/ });
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Email not sent', '/preference/mail-log/m1'],
    ['Email not sent: no mail server is configured', '/preference/mail-log/m2'],
  ]);
});

it('sends the invitation of a row again, and says so', async () => {
  const posted: unknown[] = [];
  const { user } = await renderInRouter(<Invitations />, {
    loader: () => data,
    action: (form) => {
      posted.push(Object.fromEntries(form));
      return { resent: 'a' };
    },
  });
  const row = within((await screen.findByText('a@example.com')).closest('tr')!);
  await user.click(row.getByRole('button', { name: 'Resend: a@example.com' }));
  expect(await screen.findByText('Invitation to a@example.com queued')).toBeTruthy();
  expect(posted).toEqual([{ resend: 'a' }]);
});

it('offers no sending to a user who may not', async () => {
  await renderInRouter(<Invitations />, { loader: () => ({ ...data, mayResend: false }) });
  expect(await screen.findByText('a@example.com')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Resend/ })).toBe(null);
});
