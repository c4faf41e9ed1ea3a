// List page of any resource.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { withApi } from '../../signin/api.server.ts';
import { buildCrumbs } from '../crumbs.server.ts';
import { matchResource } from '../match-resource.server.ts';
import { removeFromListAction } from '../write/write.server.ts';
import { listData } from './list-data.server.ts';
import { ListScreen } from './list-screen.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const url = new URL(args.request.url);
  const match = matchResource(url.pathname);
  return withApi(args, async (api) => {
    const [list, crumbs] = await Promise.all([
      listData(api, { ...match, searchParams: url.searchParams }),
      buildCrumbs(api, match),
    ]);
    return { ...list, crumbs };
  });
}

export const action = removeFromListAction;

export default function List() {
  const data = useLoaderData<typeof loader>();
  return <ListScreen key={data.screen} data={data} />;
}
