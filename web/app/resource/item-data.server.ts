// What the screen of one item needs.
import { send } from '@yagura/core/http/transport';
import { type AnyResource, fillPath } from '@yagura/core/resource/define-resource';
import { type ResourceMeta, resourceMeta } from '@yagura/core/resource/face';
import type { Crumb } from '../shell/crumb.ts';
import type { Api } from '../signin/api.server.ts';
import { getCurrentUser, type ResourcePermissions, resourcePermissions } from '../signin/grant.server.ts';
import type { References } from '../ui/references.ts';
import { commandOf } from './command.server.ts';
import { crumbsFor } from './crumbs.server.ts';
import type { ResourceMatch } from './place.server.ts';
import { referencesOfItem } from './references.server.ts';

export type Row = Record<string, unknown>;

export interface ItemData {
  meta: ResourceMeta;
  /** Path of the list that holds it (of itself when singleton). */
  screen: string;
  item: Row;
  references: References;
  permissions: ResourcePermissions;
  crumbs: Crumb[];
  watches: string[];
  /** The terminal's command that shows the same. */
  command: string;
}

/** The item of a path with everything to draw it; `query` goes with the call that shows it. */
export async function itemData(
  api: Api,
  placed: ResourceMatch,
  id = placed.rest[0],
  query?: Record<string, number>,
): Promise<ItemData> {
  const { resource, screen } = placed;
  const [item, person] = await Promise.all([shown(api, placed, id, query), getCurrentUser(api)]);
  const [references, crumbs] = await Promise.all([
    referencesOfItem(api, resource, item),
    crumbsFor(api, placed, item),
  ]);
  return {
    meta: resourceMeta(resource),
    screen,
    item,
    references,
    permissions: resourcePermissions(person, resource),
    crumbs,
    watches: [resource.name],
    command: commandOf(resource, 'show', id, placed.params),
  };
}

async function shown(
  api: Api,
  { resource, params }: ResourceMatch,
  id: string | undefined,
  query: Record<string, number> | undefined,
): Promise<Row> {
  if (!query) return api.client<Row, unknown>(resource).show(id, params);
  const path = fillPath(resource.itemPath, { ...params, [resource.id]: id });
  return (await send<Row>(api.transport, { method: 'GET', path, query })).data;
}

/** An item and the tag of its version, for an edit that must not overwrite a newer one. */
export async function showTagged(
  api: Api,
  resource: AnyResource,
  id: string | undefined,
  place: Record<string, string | undefined>,
): Promise<{ item: Row; tag: string | null }> {
  const path = fillPath(resource.itemPath, { ...place, [resource.id]: id ?? place[resource.id] });
  const reply = await send<Row>(api.transport, { method: 'GET', path });
  return { item: reply.data, tag: reply.headers.get('etag') };
}
