// The screen of one item of any resource.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { screen } from '../signin/api.server.ts';
import { itemData } from './item-data.server.ts';
import { ItemScreen } from './item-screen.tsx';
import { resourceAt } from './place.server.ts';
import { removeAt } from './write.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const placed = resourceAt(new URL(args.request.url).pathname);
  return screen(args, (api) => itemData(api, placed));
}

export const action = removeAt;

export default function Item() {
  const data = useLoaderData<typeof loader>();
  return <ItemScreen key={String(data.item[data.face.id])} data={data} />;
}
