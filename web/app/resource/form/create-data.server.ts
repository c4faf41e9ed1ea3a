// Loader data of the create form.
import { randomUUID } from 'node:crypto';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Problem } from '@yagura/core/http/problem';
import type { Language } from '@yagura/core/i18n/language';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { copyItem } from '@yagura/core/resource/copy-item';
import { type AnyResource, inputFields } from '@yagura/core/resource/define-resource';
import { preferencesOf } from '../../preferences/preferences.server.ts';
import { type Api, withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { resourceCommand } from '../cli-command.server.ts';
import { buildCrumbs } from '../crumbs.server.ts';
import { matchResource, type ResourceMatch } from '../match-resource.server.ts';
import { screenMeta } from '../screen-meta.ts';
import { copyParam, idempotencyKeyField } from '../write/hidden-field.ts';
import { referenceOptions } from './form-references.server.ts';
import { missingReferences } from './missing-references.server.ts';

/**
 * Returns metadata, reference candidates, what is missing among them and breadcrumbs of the create form at the request's path; throws a
 * 403 if the user may not create. `initial` are the first values of a form that is not for a copy.
 */
export async function createData(args: LoaderFunctionArgs, initial?: Record<string, unknown>) {
  const url = new URL(args.request.url);
  const match = matchResource(url.pathname);
  const copied = url.searchParams.get(copyParam);
  return withApi(args, async (api) => {
    const [user, crumbs, values] = await Promise.all([
      getCurrentUser(api),
      buildCrumbs(api, match, undefined, 'verb.create'),
      copied === null ? initial : copyValues(api, match, copied, preferencesOf(args.request).language),
    ]);
    if (!resourcePermissions(user, match.resource).create) throw new Problem('forbidden');
    const references = await referenceOptions(api, match.resource, values);
    const mayCreate = (target: AnyResource) => {
      const { list, create } = resourcePermissions(user, target);
      return list && create;
    };
    return {
      meta: screenMeta(match.resource),
      screen: match.screen,
      references,
      missing: missingReferences(match.resource, references, mayCreate),
      crumbs,
      values,
      command: resourceCommand(match.resource, 'create', undefined, match.params),
      // Idempotency key: a form submitted twice creates one item.
      hidden: { [idempotencyKeyField]: randomUUID() },
    };
  });
}

/** Values of the form for a copy of the item. */
async function copyValues(
  api: Api,
  { resource, params }: ResourceMatch,
  id: string,
  language: Language,
): Promise<Record<string, unknown>> {
  const { title } = resource;
  const [item, t] = await Promise.all([
    api.client<Record<string, unknown>, unknown>(resource).show(id, params),
    loadTranslator(language),
  ]);
  return copyItem(inputFields(resource), item, title, (name) => t('verb.copy-name', { name }));
}
