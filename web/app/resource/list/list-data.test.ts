import { scope } from '@yagura/core/alerthub/scope';
import type { ListQuery } from '@yagura/core/http/page';
import { Problem } from '@yagura/core/http/problem';
import { expect, it } from 'vitest';
import type { Api } from '../../signin/api.server.ts';
import { listData } from './list-data.server.ts';

const screen = '/apps/alerthub/scopes';
const api = {
  transport: { fetch: () => Promise.reject(new Error()), origin: '' },
  client: () => ({ show: () => Promise.reject(new Error()) }),
} as unknown as Api;

/** Loads the list of scopes from an API that has none and rejects one filter. */
async function load(filter: string) {
  const asked: (string | undefined)[] = [];
  const data = await listData(api, {
    resource: scope,
    screen,
    searchParams: new URLSearchParams({ filter }),
    async fetch(query: ListQuery) {
      asked.push(query.filter);
      if (query.filter === 'displayNam eq "a"')
        throw new Problem('invalid', { invalidParams: [{ name: 'filter', reason: 'no such field' }] });
      return { items: [], total: 0 };
    },
  });
  return { asked, error: data.filterError, isFiltered: data.isFiltered };
}

it('says why text is no filter if it matches nothing as words either', async () => {
  expect(await load('displayNam eq "a"')).toEqual({
    asked: ['displayName co "displayNam eq \\"a\\""', 'displayNam eq "a"'],
    error: 'no such field',
    isFiltered: true,
  });
});

it('knows whether an empty list is filtered', async () => {
  expect(await load('zzz')).toMatchObject({ error: null, isFiltered: true });
  expect(await load(' ')).toMatchObject({ error: null, isFiltered: false });
});
