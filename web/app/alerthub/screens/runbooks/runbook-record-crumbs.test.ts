import { matchRoutes } from '@remix-run/react';
import { expect, it } from 'vitest';
import routes from '../../../routes.ts';
import { stubClients } from '../../../signin/test/stub-api.ts';
import { runbookRecordCrumbs } from './runbook-record-crumbs.server.ts';

const ids = { runbookId: 'r', runbookRecordId: 'q' };
const apiOf = (find: () => Promise<unknown>) => stubClients(() => ({ find }));
const item = { displayName: 'Restart', requestedAt: '2028-01-01T00:00:00Z' };

it('names the runbook and the record, with links to pages only', async () => {
  const crumbs = await runbookRecordCrumbs(
    apiOf(async () => item),
    ids,
  );
  expect(crumbs.map(({ text, at }) => text ?? at)).toEqual([
    undefined,
    undefined,
    'Restart',
    undefined,
    '2028-01-01T00:00:00Z',
  ]);
  type RouteObjects = Parameters<typeof matchRoutes>[0];
  for (const { to } of crumbs.slice(1)) {
    const found = matchRoutes(routes as RouteObjects, to!)!.at(-1)!.route as unknown as { file: string };
    expect(['shell/navigation/redirect.ts', 'shell/errors/not-found.tsx']).not.toContain(found.file);
  }
});

it('shows ids of what cannot be read', async () => {
  const crumbs = await runbookRecordCrumbs(
    apiOf(() => Promise.reject(new Error())),
    ids,
  );
  expect([crumbs[2]!.text, crumbs[4]!.text]).toEqual(['r', 'q']);
});

it('says that the runbook is deleted, and does not link its pages', async () => {
  const client = ({ name }: { name: string }) => ({
    find: async () => (name === 'runbook' ? null : item),
  });
  const crumbs = await runbookRecordCrumbs(stubClients(client), ids);
  expect(crumbs.slice(2).map(({ labelKey, to }) => labelKey ?? to)).toEqual([
    'ui.deleted',
    undefined,
    '/apps/alerthub/runbooks/r/runbook-records/q',
  ]);
});
