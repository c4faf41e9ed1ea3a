// Loader data of a list that replaces the overview of its item while the URL names it.
import { type ListData, type ListRequest, listData } from '../../resource/list/list-data.server.ts';
import type { Api } from '../../signin/api.server.ts';
import { listParam } from './list-param.ts';

/** Returns the list of those given that the URL names; null if it names none. */
export async function wholeList(
  api: Api,
  request: Request,
  lists: readonly Omit<ListRequest, 'searchParams'>[],
): Promise<ListData | null> {
  const { searchParams } = new URL(request.url);
  const wanted = lists.find(({ resource }) => resource.name === searchParams.get(listParam));
  return wanted ? listData(api, { ...wanted, searchParams }) : null;
}
