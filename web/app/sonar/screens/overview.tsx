// The fields of a thing with sections.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemInfo } from '../../resource/item-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { withApi } from '../../signin/api.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const placed = matchResource(new URL(args.request.url).pathname);
  return withApi(args, (api) => itemData(api, placed));
}

export default function Overview() {
  return <ItemInfo data={useLoaderData<typeof loader>()} />;
}
