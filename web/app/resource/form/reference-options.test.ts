import { expect, it } from 'vitest';
import { loadPage } from '../../signin/test/load-page.ts';
import { loader } from './reference-options.ts';

it('finds items by name, and the one with the given id', async () => {
  const page = (...names: string[]) => ({
    items: names.map((displayName) => ({ scopeId: displayName, displayName })),
    total: 2000,
  });
  const found = await loadPage(loader, {
    address: '/reference-options/scope?text=web&id=z',
    params: { resource: 'scope' },
    replies: {
      '/api/apps/alerthub/scopes': (query: URLSearchParams) =>
        query.get('filter') === 'scopeId eq "z"' ? page('z') : page('web 1', 'web 2'),
    },
  });
  expect(found).toEqual({
    options: ['z', 'web 1', 'web 2'].map((name) => [name, name]),
    hasMore: true,
  });
});

it.each(['managed-node', 'nothing'])(
  'answers with 404 for %s, whose items cannot be listed',
  async (resource) => {
    const asked: string[] = [];
    const found = loadPage(loader, {
      ...{ address: `/reference-options/${resource}?text=`, params: { resource } },
      ...{ replies: {}, asked },
    });
    await expect(found).rejects.toMatchObject({ status: 404 });
    await expect(found).rejects.toBeInstanceOf(Response);
    expect(asked).toEqual([]);
  },
);
