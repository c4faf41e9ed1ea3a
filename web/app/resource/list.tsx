// The list of any resource.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { withApi } from '../signin/api.server.ts';
import { crumbsFor } from './crumbs.server.ts';
import { listData } from './list-data.server.ts';
import { ListScreen } from './list-screen.tsx';
import { matchResource } from './place.server.ts';
import { removeFrom } from './write.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const url = new URL(args.request.url);
  const placed = matchResource(url.pathname);
  return withApi(args, async (api) => {
    const [list, crumbs] = await Promise.all([
      listData(api, { ...placed, params: url.searchParams }),
      crumbsFor(api, placed),
    ]);
    return { ...list, crumbs };
  });
}

export const action = removeFrom;

export default function List() {
  const data = useLoaderData<typeof loader>();
  return <ListScreen key={data.screen} data={data} />;
}
