// What the form that changes an item needs.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Problem } from '@yagura/core/http/problem';
import { resourceMeta } from '@yagura/core/resource/face';
import { withApi } from '../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../signin/grant.server.ts';
import { commandOf } from './command.server.ts';
import { crumbsFor } from './crumbs.server.ts';
import { candidatesFor } from './form-data.server.ts';
import { tagField } from './hidden-field.ts';
import { showTagged } from './item-data.server.ts';
import { matchResource } from './place.server.ts';

/** Item, version, face and candidates of the edit form at the request's path; refused to whom may not edit. */
export async function editData(args: LoaderFunctionArgs) {
  const placed = matchResource(new URL(args.request.url).pathname);
  const { resource, params } = placed;
  const id = resource.singleton ? undefined : placed.rest[0];
  return withApi(args, async (api) => {
    const [{ item, tag }, person, references] = await Promise.all([
      showTagged(api, resource, id, params),
      getCurrentUser(api),
      candidatesFor(api, resource),
    ]);
    if (!resourcePermissions(person, resource).edit) throw new Problem('forbidden');
    return {
      meta: resourceMeta(resource),
      screen: placed.screen,
      values: item,
      references,
      crumbs: await crumbsFor(api, placed, item, 'verb.edit'),
      hidden: { [tagField]: tag ?? '' },
      command: commandOf(resource, 'edit', id, params),
      // A reload after somebody else's change fills the form anew.
      version: `${id ?? resource.name} ${tag}`,
      cancelHref: id ? `${placed.screen}/${encodeURIComponent(id)}` : placed.screen,
    };
  });
}
