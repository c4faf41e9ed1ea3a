// Loader data of the create form.
import { randomUUID } from 'node:crypto';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Problem } from '@yagura/core/http/problem';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { resourceCommand } from '../cli-command.server.ts';
import { buildCrumbs } from '../crumbs.server.ts';
import { matchResource } from '../match-resource.server.ts';
import { screenMeta } from '../screen-meta.ts';
import { idempotencyKeyField } from '../write/hidden-field.ts';
import { referenceOptions } from './form-references.server.ts';

/**
 * Returns metadata, reference candidates and breadcrumbs of the create form at the request's path; throws a
 * 403 if the user may not create.
 */
export async function createData(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [user, references, crumbs] = await Promise.all([
      getCurrentUser(api),
      referenceOptions(api, match.resource),
      buildCrumbs(api, match, undefined, 'verb.create'),
    ]);
    if (!resourcePermissions(user, match.resource).create) throw new Problem('forbidden');
    return {
      meta: screenMeta(match.resource),
      screen: match.screen,
      references,
      crumbs,
      command: resourceCommand(match.resource, 'create', undefined, match.params),
      // Idempotency key: a form submitted twice creates one item.
      hidden: { [idempotencyKeyField]: randomUUID() },
    };
  });
}
