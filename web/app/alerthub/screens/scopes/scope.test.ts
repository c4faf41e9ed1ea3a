// The loader of the layout of a scope's pages, by role.
import { expect, test } from 'vitest';
import { loadPage } from '../../../signin/test/load-page.ts';
import { loader } from './scope.tsx';

const replies = { '/api/apps/alerthub/scopes/s': { scopeId: 's', displayName: 'Shop' } };

test.each([
  { role: 'alerthub:viewer' as const, allowed: false },
  { role: 'alerthub:administrator' as const, allowed: true },
])('$role may mute a scope from its header: $allowed', async ({ role, allowed }) => {
  const address = '/apps/alerthub/scopes/s';
  const data = await loadPage(loader, { address, params: { scopeId: 's' }, replies, roles: [role] });
  expect(data.mayMute).toBe(allowed);
  expect(data.tabs.mutes).toBeTruthy();
});
