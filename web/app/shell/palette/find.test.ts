import { expect, it } from 'vitest';
import { loadPage } from '../../signin/test/load-page.ts';
import { loader } from './find.ts';

const scopes = '/api/apps/alerthub/scopes';
const named = (...names: string[]) => names.map((displayName) => ({ scopeId: displayName, displayName }));

async function find(text: string, reply: (filter: string) => object) {
  return loadPage(loader, {
    address: `/find?${new URLSearchParams({ text })}`,
    replies: { [scopes]: (query: URLSearchParams) => reply(query.get('filter') ?? '') },
    emptyLists: true,
  });
}

it('puts names that begin with the text first, and leads to the list of all', async () => {
  const { found, more } = await find('web', (filter) =>
    filter.includes(' sw ')
      ? { items: named('web', 'web 1', 'z web'), total: 2 }
      : { items: named('a web', 'b web', 'c web', 'web'), total: 2000 },
  );
  expect(found.map(({ text }) => text)).toEqual(['web', 'web 1', 'z web', 'a web']);
  expect(more).toEqual([
    {
      to: `/apps/alerthub/scopes?${new URLSearchParams({ filter: 'displayName co "web"' })}`,
      total: 2000,
      totalIsLeast: false,
      noun: found[0]!.noun,
    },
  ]);
});

it('shows few hits in their order', async () => {
  const { found, more } = await find('web', () => ({ items: named('a web', 'web'), total: 2 }));
  expect([found.map(({ text }) => text), more]).toEqual([['a web', 'web'], []]);
});
