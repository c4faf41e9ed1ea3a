// What the form that changes an item needs.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Problem } from '@yagura/core/http/problem';
import { faceOf } from '@yagura/core/resource/face';
import { screen } from '../signin/api.server.ts';
import { mayOf, personOf } from '../signin/grant.server.ts';
import { commandOf } from './command.server.ts';
import { crumbsFor } from './crumbs.server.ts';
import { candidatesFor } from './form-data.server.ts';
import { tagField } from './hidden-field.ts';
import { showTagged } from './item-data.server.ts';
import { resourceAt } from './place.server.ts';

/** Item, version, face and candidates of the edit form at the request's path; refused to whom may not edit. */
export async function editData(args: LoaderFunctionArgs) {
  const placed = resourceAt(new URL(args.request.url).pathname);
  const { resource, place } = placed;
  const id = resource.singleton ? undefined : placed.rest[0];
  return screen(args, async (api) => {
    const [{ item, tag }, person, references] = await Promise.all([
      showTagged(api, resource, id, place),
      personOf(api),
      candidatesFor(api, resource),
    ]);
    if (!mayOf(person, resource).edit) throw new Problem('forbidden');
    return {
      face: faceOf(resource),
      screen: placed.screen,
      values: item,
      references,
      crumbs: await crumbsFor(api, placed, item, 'verb.edit'),
      hidden: { [tagField]: tag ?? '' },
      command: commandOf(resource, 'edit', id, place),
      // A reload after somebody else's change fills the form anew.
      version: `${id ?? resource.name} ${tag}`,
      cancelHref: id ? `${placed.screen}/${encodeURIComponent(id)}` : placed.screen,
    };
  });
}
