// A kind's histories begin with the first one that the person may see.
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { withApi } from '../../signin/api.server.ts';
import { bulkMay, kindOf } from '../bulk/tools.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const kind = kindOf(args.params);
    const may = await bulkMay(api);
    const way = !may.listImports && may.listExports ? 'exports' : 'imports';
    return redirect(`/apps/alerthub/tools/${kind}/histories/${way}`);
  });
}
