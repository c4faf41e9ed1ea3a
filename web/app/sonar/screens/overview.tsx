// Fields of an item with sections.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemInfo } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { withApi } from '../../signin/api.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, (api) => itemData(api, match));
}

export default function Overview() {
  return <ItemInfo data={useLoaderData<typeof loader>()} />;
}
