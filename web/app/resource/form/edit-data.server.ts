// Loader data of the edit form.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Problem } from '@yagura/core/http/problem';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { resourceCommand } from '../cli-command.server.ts';
import { buildCrumbs } from '../crumbs.server.ts';
import { showWithETag } from '../item/item-data.server.ts';
import { matchResource } from '../match-resource.server.ts';
import { screenMeta } from '../screen-meta.ts';
import { etagField } from '../write/hidden-field.ts';
import { referenceOptions } from './form-references.server.ts';

/**
 * Returns item, version, metadata and reference candidates of the edit form at the request's path; throws a
 * 403 if the user may not edit.
 */
export async function editData(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  const { resource, params } = match;
  const id = resource.singleton ? undefined : match.rest[0];
  return withApi(args, async (api) => {
    const [{ item, tag }, user] = await Promise.all([
      showWithETag(api, resource, id, params),
      getCurrentUser(api),
    ]);
    if (!resourcePermissions(user, resource).edit) throw new Problem('forbidden');
    return {
      meta: screenMeta(resource),
      screen: match.screen,
      values: item,
      references: await referenceOptions(api, resource, item),
      crumbs: await buildCrumbs(api, match, item, 'verb.edit'),
      hidden: { [etagField]: tag ?? '' },
      command: resourceCommand(resource, 'edit', id, params),
      // Changes with the version, so that a reload after another user's change refills the form.
      version: `${id ?? resource.name} ${tag}`,
      cancelHref: id ? `${match.screen}/${encodeURIComponent(id)}` : match.screen,
    };
  });
}
