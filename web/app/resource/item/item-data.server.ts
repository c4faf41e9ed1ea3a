// Loader data of an item's page.
import { send } from '@yagura/core/http/transport';
import { type AnyResource, fillPath } from '@yagura/core/resource/define-resource';
import type { Crumb } from '../../shell/navigation/crumb.ts';
import type { Api } from '../../signin/api.server.ts';
import {
  getCurrentUser,
  type ResourcePermissions,
  resourcePermissions,
} from '../../signin/current-user.server.ts';
import type { References } from '../../ui/references.ts';
import { resourceCommand } from '../cli-command.server.ts';
import { buildCrumbs } from '../crumbs.server.ts';
import type { ResourceMatch } from '../match-resource.server.ts';
import { resolveItemReferences } from '../references.server.ts';
import { type ScreenMeta, screenMeta } from '../screen-meta.ts';

export type Row = Record<string, unknown>;

export interface ItemData {
  meta: ScreenMeta;
  /** Path of the list that contains the item (of the item itself if singleton). */
  screen: string;
  item: Row;
  references: References;
  permissions: ResourcePermissions;
  crumbs: Crumb[];
  watches: string[];
  /** CLI command that shows the same item. */
  command: string;
}

/** Fetches the item at a path and everything its page needs; `query` is added to the API request. */
export async function itemData(
  api: Api,
  match: ResourceMatch,
  id = match.rest[0],
  query?: Record<string, number>,
): Promise<ItemData> {
  const { resource, screen } = match;
  const [item, user] = await Promise.all([fetchItem(api, match, id, query), getCurrentUser(api)]);
  const [references, crumbs] = await Promise.all([
    resolveItemReferences(api, resource, item),
    buildCrumbs(api, match, item),
  ]);
  return {
    meta: screenMeta(resource),
    screen,
    item,
    references,
    permissions: resourcePermissions(user, resource),
    crumbs,
    watches: [resource.name],
    command: resourceCommand(resource, 'show', id, match.params),
  };
}

async function fetchItem(
  api: Api,
  { resource, params }: ResourceMatch,
  id: string | undefined,
  query: Record<string, number> | undefined,
): Promise<Row> {
  if (!query) return api.client<Row, unknown>(resource).show(id, params);
  const path = fillPath(resource.itemPath, { ...params, [resource.id]: id });
  return (await send<Row>(api.transport, { method: 'GET', path, query })).data;
}

/** Fetches an item with its ETag, so that an edit does not overwrite a newer version. */
export async function showWithETag<Item = Row>(
  api: Api,
  resource: AnyResource,
  id: string | undefined,
  pathParams: Record<string, string | undefined>,
): Promise<{ item: Item; tag: string | null }> {
  const path = fillPath(resource.itemPath, { ...pathParams, [resource.id]: id ?? pathParams[resource.id] });
  const reply = await send<Item>(api.transport, { method: 'GET', path });
  return { item: reply.data, tag: reply.headers.get('etag') };
}
