// The loader of a create form names what has to be created before.
import type { RoleName } from '@yagura/core/access/role-map';
import { expect, test } from 'vitest';
import { loadPage } from '../../signin/test/load-page.ts';
import { loader } from './create.tsx';

const slots = '/api/apps/alerthub/receive-slots';

async function missingFor(
  address: string,
  { replies = {}, roles }: { replies?: Record<string, unknown>; roles?: RoleName[] } = {},
): Promise<string[]> {
  const data = await loadPage(loader, { address, replies, emptyLists: true, ...(roles && { roles }) });
  return data.missing.map(({ href }) => href);
}

test('a rule needs a receive slot', async () => {
  expect(await missingFor('/apps/alerthub/rules/new')).toEqual(['/apps/alerthub/receive-slots/new']);
});

test('what is there is not missing, nor is what is optional', async () => {
  const items = [{ receiveSlotId: 's', displayName: 'Slot' }];
  const replies = { [slots]: { items, total: 1, limit: 1000, offset: 0 } };
  expect(await missingFor('/apps/alerthub/rules/new', { replies })).toEqual([]);
  expect(await missingFor('/apps/alerthub/receive-slots/new')).toEqual([]);
});

test('what the user may not create is not offered', async () => {
  const address = '/apps/greac/sessions/new';
  expect(await missingFor(address)).toEqual(['/apps/greac/destinations/new']);
  expect(await missingFor(address, { roles: ['greac:user'] })).toEqual([]);
});

test('a trigger needs something to run, be it an action or a runbook', async () => {
  const address = '/apps/alerthub/scopes/s/triggers/new';
  const scope = { '/api/apps/alerthub/scopes/s': { scopeId: 's', displayName: 'Shop' } };
  expect(await missingFor(address, { replies: scope })).toEqual(['/apps/alerthub/actions/new']);
  const items = [{ runbookId: 'r', displayName: 'Restart' }];
  const runbooks = { items, total: 1, limit: 1000, offset: 0 };
  const replies = { ...scope, '/api/apps/alerthub/runbooks': runbooks };
  expect(await missingFor(address, { replies })).toEqual([]);
});
