// Resolves the ids on a page to names, with one query per referenced resource.
import { resources } from '@yagura/core/all';
import { chunksOf } from '@yagura/core/http/chunks';
import { Problem } from '@yagura/core/http/problem';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { itemFields } from '@yagura/core/resource/define-resource';
import type { FieldMeta } from '@yagura/core/resource/field';
import { referenceTarget } from '@yagura/core/resource/reference-target';
import type { Api } from '../signin/api.server.ts';
import { getCurrentUser } from '../signin/current-user.server.ts';
import type { References } from '../ui/references.ts';
import { mayAsk } from './if-permitted.server.ts';
import { fillScreenPath } from './screen-path.ts';

type Row = Record<string, unknown>;

/** Ids per request, within the filter's limit of comparisons. */
const batchSize = 100;
/** Values nested deeper are not searched for references. */
const maxDepth = 8;

/** Resources of which the server shows a user only some items: a missing one need not be deleted. */
const partlyVisible = new Set(['destination', 'session', 'task', 'task-schedule']);

/** Returns the names of everything that the rows refer to. */
export async function resolveReferences(
  api: Api,
  fields: Record<string, FieldMeta>,
  rows: readonly Row[],
): Promise<References> {
  const idsByResource = new Map<string, Set<string>>();
  for (const row of rows) collectFieldIds(fields, row, idsByResource, 0);
  return fetchNames(api, idsByResource, rows, fields);
}

/**
 * Returns names by resource and id, except of what the user may not list; `rows` supply the parent ids for the page and API paths of children, in a field of the
 * same name as in the path, or in the one of `fields` that refers to the parent.
 */
export async function fetchNames(
  api: Api,
  idsByResource: ReadonlyMap<string, ReadonlySet<string>>,
  rows: readonly Row[] = [],
  fields: Record<string, FieldMeta> = {},
): Promise<References> {
  if (idsByResource.size === 0) return {};
  const user = await getCurrentUser(api);
  const found = await Promise.all(
    [...idsByResource].map(async ([name, ids]) => {
      const resource = resources.find((known) => known.name === name && mayAsk(user, known, 'list'));
      return [name, resource ? await fetchResourceNames(api, resource, [...ids], rows, fields) : {}] as const;
    }),
  );
  return Object.fromEntries(found);
}

type Names = References[string];

async function fetchResourceNames(
  api: Api,
  resource: AnyResource,
  ids: string[],
  rows: readonly Row[],
  fields: Record<string, FieldMeta>,
): Promise<Names> {
  const parentField = /\{(\w+)\}/.exec(resource.path)?.[1];
  const batches = parentField
    ? batchesByParent(resource, parentField, ids, rows, fields)
    : [{ params: {}, ids }];
  const parts = batches.flatMap(({ params, ids: own }) =>
    chunksOf(own, batchSize).map((batch) => fetchBatch(api, resource, batch, params)),
  );
  return Object.assign({}, ...(await Promise.all(parts)));
}

/** Children are listed per parent. */
function batchesByParent(
  resource: AnyResource,
  parentField: string,
  ids: string[],
  rows: readonly Row[],
  fields: Record<string, FieldMeta>,
): { params: Record<string, string>; ids: string[] }[] {
  const parentFields = [parentField, ...namesOfReferences(fields, resource.parent)];
  const ownFields = [resource.id, ...namesOfReferences(fields, resource.name)];
  const byParent = new Map<string, Set<string>>();
  for (const row of rows) {
    const parent = parentFields.map((name) => row[name]).find((id) => typeof id === 'string');
    if (typeof parent !== 'string') continue;
    for (const id of ownFields.map((name) => row[name])) {
      if (typeof id !== 'string' || !ids.includes(id)) continue;
      byParent.set(parent, (byParent.get(parent) ?? new Set()).add(id));
    }
  }
  return [...byParent].map(([parent, own]) => ({ params: { [parentField]: parent }, ids: [...own] }));
}

function namesOfReferences(fields: Record<string, FieldMeta>, resource: string | undefined): string[] {
  return Object.keys(fields).filter((name) => fields[name]!.resource === resource);
}

/** Null for each id that a successful answer does not contain. */
async function fetchBatch(
  api: Api,
  resource: AnyResource,
  ids: string[],
  params: Record<string, string>,
): Promise<Names> {
  const filter = ids.map((id) => `${resource.id} eq ${JSON.stringify(id)}`).join(' or ');
  let items: Row[];
  try {
    ({ items } = await api.client<Row, unknown>(resource).list({ filter, limit: batchSize }, params));
  } catch (error) {
    // Children are deleted with their parent.
    if (!(error instanceof Problem && error.kind === 'not-found')) return {};
    items = [];
  }
  const missing = partlyVisible.has(resource.name) ? [] : ids.map((id) => [id, null] as const);
  return { ...Object.fromEntries(missing), ...toNames(resource, items, params) };
}

function toNames(resource: AnyResource, items: readonly Row[], params: Record<string, string>): Names {
  return Object.fromEntries(
    items.map((item) => {
      const id = String(item[resource.id]);
      const name = itemName(resource, item);
      const at = resource.time && name === id ? item[resource.time] : undefined;
      const screen = fillScreenPath(resource.screen, { ...params, ...(item as Record<string, string>) });
      return [
        id,
        {
          name,
          ...(typeof at === 'string' ? { at } : {}),
          ...(screen ? { href: itemHref(resource, screen, { ...params, ...item }) } : {}),
        },
      ];
    }),
  );
}

/** Returns an item's display name: its title, else its summary, else its id. */
export function itemName(resource: AnyResource, item: Row): string {
  const title = item[resource.title];
  if (resource.title !== resource.id && typeof title === 'string' && title) return title;
  const summary = item.summary;
  return typeof summary === 'string' && summary ? summary : String(item[resource.id]);
}

/**
 * Returns the URL of an item's page. If only the API nests the item below its parent, the parent's id is a
 * query parameter.
 */
export function itemHref(resource: AnyResource, screen: string, item: Row): string {
  const path = `${screen}/${encodeURIComponent(String(item[resource.id]))}`;
  const parent = /\{(\w+)\}/.exec(resource.path)?.[1];
  if (!parent || resource.screen?.includes(`:${parent}`)) return path;
  return `${path}?${new URLSearchParams({ [parent]: String(item[parent]) })}`;
}

function collectFieldIds(
  fields: Record<string, FieldMeta>,
  value: unknown,
  idsByResource: Map<string, Set<string>>,
  depth: number,
): void {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return;
  for (const [name, field] of Object.entries(fields)) {
    collectIds(field, (value as Row)[name], value as Row, idsByResource, depth + 1);
  }
}

function collectIds(
  field: FieldMeta,
  value: unknown,
  siblings: Row,
  idsByResource: Map<string, Set<string>>,
  depth: number,
): void {
  if (value === null || value === undefined) return;
  const resource = field.kind === 'reference' && referenceTarget(field, siblings);
  if (resource && typeof value === 'string') {
    idsByResource.set(resource, (idsByResource.get(resource) ?? new Set()).add(value));
  }
  if (field.fields) collectFieldIds(field.fields, value, idsByResource, depth);
  if (field.item && Array.isArray(value)) {
    for (const item of value) collectIds(field.item, item, siblings, idsByResource, depth + 1);
  }
  const variant = field.by ? field.variants?.[String(siblings[field.by])] : undefined;
  if (variant) collectFieldIds(variant, value, idsByResource, depth);
}

/** Returns the names of everything that one item refers to. */
export function resolveItemReferences(api: Api, resource: AnyResource, item: Row): Promise<References> {
  return resolveReferences(api, itemFields(resource), [item]);
}
