// The screen of one item of any resource.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { withApi } from '../signin/api.server.ts';
import { itemData } from './item-data.server.ts';
import { ItemScreen } from './item-screen.tsx';
import { matchResource } from './place.server.ts';
import { removeAt } from './write.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const placed = matchResource(new URL(args.request.url).pathname);
  return withApi(args, (api) => itemData(api, placed));
}

export const action = removeAt;

export default function Item() {
  const data = useLoaderData<typeof loader>();
  return <ItemScreen key={String(data.item[data.meta.id])} data={data} />;
}
