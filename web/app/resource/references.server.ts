// Resolves the ids on a page to names, with one query per referenced resource.
import { resources } from '@yagura/core/all';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { itemFields } from '@yagura/core/resource/define-resource';
import type { FieldMeta } from '@yagura/core/resource/field';
import { referenceTarget } from '@yagura/core/resource/reference-target';
import type { Api } from '../signin/api.server.ts';
import type { References } from '../ui/references.ts';
import { fillScreenPath } from './screen-path.ts';

type Row = Record<string, unknown>;

/** Ids per request, within the filter's limit of comparisons. */
const batchSize = 100;
/** Values nested deeper are not searched for references. */
const maxDepth = 8;

/**
 * Returns the names of everything that the rows refer to. Items that are deleted or that the user may not
 * read are left out, so that their id is shown.
 */
export async function resolveReferences(
  api: Api,
  fields: Record<string, FieldMeta>,
  rows: readonly Row[],
): Promise<References> {
  const idsByResource = new Map<string, Set<string>>();
  for (const row of rows) collectFieldIds(fields, row, idsByResource, 0);
  return fetchNames(api, idsByResource, rows);
}

/** Returns names by resource and id; `rows` supply the parent ids for the page and API paths of children. */
export async function fetchNames(
  api: Api,
  idsByResource: ReadonlyMap<string, ReadonlySet<string>>,
  rows: readonly Row[] = [],
): Promise<References> {
  const found = await Promise.all(
    [...idsByResource].map(async ([name, ids]) => {
      const resource = resources.find((known) => known.name === name);
      return [name, resource ? await fetchResourceNames(api, resource, [...ids], rows) : {}] as const;
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
): Promise<Names> {
  if (resource.path.includes('{')) return fetchNestedNames(api, resource, ids, rows);
  const pages: Promise<Row[]>[] = [];
  for (let start = 0; start < ids.length; start += batchSize) {
    const filter = ids
      .slice(start, start + batchSize)
      .map((id) => `${resource.id} eq ${JSON.stringify(id)}`)
      .join(' or ');
    pages.push(
      api
        .client<Row, unknown>(resource)
        .list({ filter, limit: batchSize })
        .then((page) => page.items)
        .catch(() => []),
    );
  }
  return toNames(resource, (await Promise.all(pages)).flat());
}

/** Children are listed per parent; the rows contain the parent's id. */
async function fetchNestedNames(
  api: Api,
  resource: AnyResource,
  ids: string[],
  rows: readonly Row[],
): Promise<Names> {
  const parentField = /\{(\w+)\}/.exec(resource.path)![1]!;
  const byParent = new Map<string, Set<string>>();
  for (const row of rows) {
    const parent = row[parentField];
    const id = row[resource.id];
    if (typeof parent !== 'string' || typeof id !== 'string' || !ids.includes(id)) continue;
    byParent.set(parent, (byParent.get(parent) ?? new Set()).add(id));
  }
  const pages = await Promise.all(
    [...byParent].map(([parent, own]) => {
      const filter = [...own].slice(0, batchSize).map((id) => `${resource.id} eq ${JSON.stringify(id)}`);
      return api
        .client<Row, unknown>(resource)
        .list({ filter: filter.join(' or '), limit: batchSize }, { [parentField]: parent })
        .then((page) => page.items.map((item) => ({ [parentField]: parent, ...item })))
        .catch((): Row[] => []);
    }),
  );
  return toNames(resource, pages.flat());
}

function toNames(resource: AnyResource, items: readonly Row[]): Names {
  return Object.fromEntries(
    items.map((item) => {
      const id = String(item[resource.id]);
      const screen = fillScreenPath(resource.screen, item as Record<string, string>);
      return [
        id,
        { name: itemName(resource, item), ...(screen ? { href: itemHref(resource, screen, item) } : {}) },
      ];
    }),
  );
}

/** Returns an item's display name: its title, else its timestamp, else its id. */
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
