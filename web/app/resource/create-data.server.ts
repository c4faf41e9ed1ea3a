// What the form that makes a new item needs.
import { randomUUID } from 'node:crypto';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Problem } from '@yagura/core/http/problem';
import { faceOf } from '@yagura/core/resource/face';
import { screen } from '../signin/api.server.ts';
import { mayOf, personOf } from '../signin/grant.server.ts';
import { commandOf } from './command.server.ts';
import { crumbsFor } from './crumbs.server.ts';
import { candidatesFor } from './form-data.server.ts';
import { keyField } from './hidden-field.ts';
import { resourceAt } from './place.server.ts';

/** Face, candidates and breadcrumbs of the create form at the request's path; refused to whom may not create. */
export async function createData(args: LoaderFunctionArgs) {
  const placed = resourceAt(new URL(args.request.url).pathname);
  return screen(args, async (api) => {
    const [person, references, crumbs] = await Promise.all([
      personOf(api),
      candidatesFor(api, placed.resource),
      crumbsFor(api, placed, undefined, 'verb.create'),
    ]);
    if (!mayOf(person, placed.resource).create) throw new Problem('forbidden');
    return {
      face: faceOf(placed.resource),
      screen: placed.screen,
      references,
      crumbs,
      command: commandOf(placed.resource, 'create', undefined, placed.place),
      // A form that is sent twice makes one item.
      hidden: { [keyField]: randomUUID() },
    };
  });
}
