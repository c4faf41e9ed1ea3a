// List of a parent item, rendered inside the parent's page.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { listData } from '../../resource/list/list-data.server.ts';
import { ListScreen } from '../../resource/list/list-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { removeFromListAction } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const url = new URL(args.request.url);
  const match = matchResource(url.pathname);
  return withApi(args, (api) => listData(api, { ...match, searchParams: url.searchParams }));
}

export const action = removeFromListAction;

export default function NestedList() {
  const data = useLoaderData<typeof loader>();
  return <ListScreen key={data.screen} data={data} nested />;
}
