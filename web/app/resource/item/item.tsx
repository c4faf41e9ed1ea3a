// Detail page of any resource.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { withApi } from '../../signin/api.server.ts';
import { matchResource } from '../match-resource.server.ts';
import { removeItemAction } from '../write/write.server.ts';
import { itemData } from './item-data.server.ts';
import { ItemScreen } from './item-screen.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, (api) => itemData(api, match));
}

export const action = removeItemAction;

export default function Item() {
  const data = useLoaderData<typeof loader>();
  return <ItemScreen key={String(data.item[data.meta.id])} data={data} />;
}
