// Loader data of a panel with retention settings.
import { type AnyResource, itemFields } from '@yagura/core/resource/define-resource';
import type { Api } from '../../signin/api.server.ts';
import { type CurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import type { Row } from '../item/item-data.server.ts';

/** Null if the user may not see the settings. */
export async function retentionData(api: Api, user: CurrentUser, resource: AnyResource) {
  const permissions = resourcePermissions(user, resource);
  if (!permissions.show) return null;
  return {
    name: resource.name,
    noun: resource.noun,
    item: await api.client<Row, unknown>(resource).show(),
    fields: itemFields(resource),
    editHref: permissions.edit ? `${resource.screen}/edit` : undefined,
  };
}
