// Redirects a kind's history to the first of imports and exports that the user may list.
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { withApi } from '../../../signin/api.server.ts';
import { bulkKindOf, bulkPermissions } from '../../bulk/tools.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const kind = bulkKindOf(args.params);
    const permissions = await bulkPermissions(api);
    const direction = !permissions.listImports && permissions.listExports ? 'exports' : 'imports';
    return redirect(`/apps/alerthub/tools/${kind}/histories/${direction}`);
  });
}
