// What is known of a node: its fields, and its addresses, ports, routes and neighbors as tables.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemInfo } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { InventoryTables, tableFields } from '../inventory/inventory-tables.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, (api) => itemData(api, match));
}

export default function NodeOverview() {
  const data = useLoaderData<typeof loader>();
  const unknown = data.meta.detail.flatMap(({ name }) => (isUnknown(data.item[name]) ? [name] : []));
  return (
    <>
      <ItemInfo data={data} without={[...tableFields, ...unknown]} />
      <InventoryTables item={data.item} />
    </>
  );
}

/** What no scan has read is not shown. */
function isUnknown(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
