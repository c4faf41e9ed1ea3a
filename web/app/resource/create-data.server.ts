// What the form that makes a new item needs.
import { randomUUID } from 'node:crypto';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Problem } from '@yagura/core/http/problem';
import { resourceMeta } from '@yagura/core/resource/face';
import { withApi } from '../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../signin/grant.server.ts';
import { commandOf } from './command.server.ts';
import { crumbsFor } from './crumbs.server.ts';
import { candidatesFor } from './form-data.server.ts';
import { keyField } from './hidden-field.ts';
import { matchResource } from './place.server.ts';

/** Face, candidates and breadcrumbs of the create form at the request's path; refused to whom may not create. */
export async function createData(args: LoaderFunctionArgs) {
  const placed = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [person, references, crumbs] = await Promise.all([
      getCurrentUser(api),
      candidatesFor(api, placed.resource),
      crumbsFor(api, placed, undefined, 'verb.create'),
    ]);
    if (!resourcePermissions(person, placed.resource).create) throw new Problem('forbidden');
    return {
      meta: resourceMeta(placed.resource),
      screen: placed.screen,
      references,
      crumbs,
      command: commandOf(placed.resource, 'create', undefined, placed.params),
      // A form that is sent twice makes one item.
      hidden: { [keyField]: randomUUID() },
    };
  });
}
