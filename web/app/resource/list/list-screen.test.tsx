import { screen } from '@testing-library/react';
import { message } from '@yagura/core/alerthub/message';
import { expect, it } from 'vitest';
import type { Api } from '../../signin/api.server.ts';
import { renderInRouter } from '../../ui/test/render.tsx';
import { listData } from './list-data.server.ts';
import { ListScreen } from './list-screen.tsx';

const api = {
  transport: { fetch: () => Promise.reject(new Error()), origin: '' },
  client: () => ({ show: () => Promise.reject(new Error()) }),
} as unknown as Api;

const load = (page: { incompleteSince?: string }) =>
  listData(api, {
    resource: message,
    screen: '/apps/alerthub/messages',
    searchParams: new URLSearchParams({ filter: 'disk' }),
    fetch: async () => ({ items: [], total: 0, ...page }),
  });

it.each([
  ['2028-03-01T10:00:00.000Z', true],
  [undefined, false],
])('says what a search may lack: since %s', async (incompleteSince, isTold) => {
  const data = await load(incompleteSince ? { incompleteSince } : {});
  await renderInRouter(<ListScreen data={data} />);
  expect(screen.queryByText(/^Messages received since .* may be missing\.$/) !== null).toBe(isTold);
});
