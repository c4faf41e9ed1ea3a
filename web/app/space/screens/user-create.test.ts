import { expect, it } from 'vitest';
import { loadPage } from '../../signin/test/load-page.ts';
import { loader } from './user-create.tsx';

it('asks the server how a user without a password gets one', async () => {
  const data = await loadPage(loader, {
    address: '/preference/users/new',
    replies: { '/api/internal/settings': { newPasswords: 'command' } },
  });
  expect(data).toMatchObject({ newPasswords: 'command', mayInvite: true, screen: '/preference/users' });
});
