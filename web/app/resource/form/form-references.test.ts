// The loader of an edit form names what the form can refer to.
import { expect, it } from 'vitest';
import { loadPage } from '../../signin/test/load-page.ts';
import { loader } from './edit.tsx';

const runbooks = '/api/apps/alerthub/runbooks';
const id = (number: number) => `00000000-0000-7000-8000-00000000000${number}`;
const trigger = {
  triggerId: id(1),
  scopeId: id(2),
  displayName: 'Restart',
  target: { kind: 'runbook', id: id(3) },
};

it('offers the items of every resource that a reference can be to, and names the one in use', async () => {
  const page = (runbookId: string, displayName: string) => ({
    items: [{ runbookId, displayName }],
    total: 2000,
  });
  const { references } = await loadPage(loader, {
    address: `/apps/alerthub/scopes/${id(2)}/triggers/${id(1)}/edit`,
    replies: {
      [`/api/apps/alerthub/scopes/${id(2)}`]: { scopeId: id(2), displayName: 'Scope' },
      [`/api/apps/alerthub/scopes/${id(2)}/triggers/${id(1)}`]: trigger,
      [runbooks]: (query: URLSearchParams) =>
        query.has('filter') ? page(id(3), 'The last one') : page(id(4), 'Another'),
    },
    emptyLists: true,
  });
  expect(references.runbook).toMatchObject({
    [id(3)]: { name: 'The last one' },
    [id(4)]: { name: 'Another' },
  });
});
