// Names of referenced items in the cells of a list.
import { expect, test } from 'vitest';
import { now, testContext, testRenderContext } from '../../../test/start-test-tui.tsx';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import { createView } from '../state/navigation.ts';
import type { ListView } from '../state/state.ts';
import { rowCells } from '../views/render-list.ts';
import { loadRows } from './load-list.ts';

const id = '01a1fea7-056f-700d-b199-539c2daf013a';

test.each([
  ['callflow', 'contacts', [{ contactId: id, phone: 2 }], 'Hanako 2'],
  ['kroker-notification', 'krokerIds', [id], 'Hanako'],
])('%s: the cell of %s names what it refers to', async (resource, field, value, text) => {
  const meta = resourceNamed(resource);
  const context = await testContext();
  const transport = {
    origin: 'http://space.example',
    fetch: async (url: string) => {
      const own = new URL(url).pathname === meta.path;
      const item = own
        ? { [meta.id]: 'own', [field]: value }
        : { contactId: id, krokerId: id, displayName: 'Hanako' };
      return Response.json({ items: [item], total: 1 });
    },
  };
  const view = createView(context, { kind: 'list', resource, params: {} }) as ListView;
  const { rows } = await loadRows(transport, context, view, 'all', new AbortController().signal);
  const { presenter } = await testRenderContext(context);
  const named = { ...presenter, names: rows.names, exact: false };
  expect(rowCells(meta, [field], rows.items[0]!.row, named, now)).toMatchObject([{ text }]);
});
