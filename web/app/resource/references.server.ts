// Names for the ids on a page: every referred resource is asked once.
import { all } from '@yagura/core/all';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { itemFields } from '@yagura/core/resource/define-resource';
import type { FieldMeta } from '@yagura/core/resource/field';
import { referredBy } from '@yagura/core/resource/referred-by';
import type { Api } from '../signin/api.server.ts';
import type { References } from '../ui/references.ts';
import { fillScreen } from './screen-path.ts';

type Row = Record<string, unknown>;

/** Ids asked for in one request: within the filter's bound of comparisons. */
const batch = 100;
/** Values nested deeper than this are not looked into. */
const maxDepth = 8;

/** Names of everything that the rows point at. What may not be read or is gone has no entry, so that its id is shown. */
export async function referencesOf(
  api: Api,
  fields: Record<string, FieldMeta>,
  rows: readonly Row[],
): Promise<References> {
  const wanted = new Map<string, Set<string>>();
  for (const row of rows) collectFields(fields, row, wanted, 0);
  return namesOf(api, wanted, rows);
}

/** Names by resource and ids; `rows` give the parents' ids that screens and paths of children need. */
export async function namesOf(
  api: Api,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
  rows: readonly Row[] = [],
): Promise<References> {
  const found = await Promise.all(
    [...wanted].map(async ([name, ids]) => {
      const resource = all.find((known) => known.name === name);
      return [name, resource ? await namesOfOne(api, resource, [...ids], rows) : {}] as const;
    }),
  );
  return Object.fromEntries(found);
}

type Names = References[string];

async function namesOfOne(
  api: Api,
  resource: AnyResource,
  ids: string[],
  rows: readonly Row[],
): Promise<Names> {
  if (resource.path.includes('{')) return namesBelowParent(api, resource, ids, rows);
  const pages: Promise<Row[]>[] = [];
  for (let start = 0; start < ids.length; start += batch) {
    const filter = ids
      .slice(start, start + batch)
      .map((id) => `${resource.id} eq ${JSON.stringify(id)}`)
      .join(' or ');
    pages.push(
      api
        .client<Row, unknown>(resource)
        .list({ filter, limit: batch })
        .then((page) => page.items)
        .catch(() => []),
    );
  }
  return namesFrom(resource, (await Promise.all(pages)).flat());
}

/** Children are listed below their parents, which the rows name beside the child. */
async function namesBelowParent(
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
      const filter = [...own].slice(0, batch).map((id) => `${resource.id} eq ${JSON.stringify(id)}`);
      return api
        .client<Row, unknown>(resource)
        .list({ filter: filter.join(' or '), limit: batch }, { [parentField]: parent })
        .then((page) => page.items.map((item) => ({ [parentField]: parent, ...item })))
        .catch((): Row[] => []);
    }),
  );
  return namesFrom(resource, pages.flat());
}

function namesFrom(resource: AnyResource, items: readonly Row[]): Names {
  return Object.fromEntries(
    items.map((item) => {
      const id = String(item[resource.id]);
      const screen = fillScreen(resource.screen, item as Record<string, string>);
      return [
        id,
        { name: nameOf(resource, item), ...(screen ? { href: hrefOf(resource, screen, item) } : {}) },
      ];
    }),
  );
}

/** A person's name for an item: its title, else its moment, else its id. */
export function nameOf(resource: AnyResource, item: Row): string {
  const title = item[resource.title];
  if (resource.title !== resource.id && typeof title === 'string' && title) return title;
  const summary = item.summary;
  return typeof summary === 'string' && summary ? summary : String(item[resource.id]);
}

/** Path of an item's screen. An item that the API keeps below its parent, but the console does not, carries the parent's id along. */
export function hrefOf(resource: AnyResource, screen: string, item: Row): string {
  const path = `${screen}/${encodeURIComponent(String(item[resource.id]))}`;
  const parent = /\{(\w+)\}/.exec(resource.path)?.[1];
  if (!parent || resource.screen?.includes(`:${parent}`)) return path;
  return `${path}?${new URLSearchParams({ [parent]: String(item[parent]) })}`;
}

function collectFields(
  fields: Record<string, FieldMeta>,
  value: unknown,
  wanted: Map<string, Set<string>>,
  depth: number,
): void {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return;
  for (const [name, fact] of Object.entries(fields)) {
    collect(fact, (value as Row)[name], value as Row, wanted, depth + 1);
  }
}

function collect(
  field: FieldMeta,
  value: unknown,
  around: Row,
  wanted: Map<string, Set<string>>,
  depth: number,
): void {
  if (value === null || value === undefined) return;
  const resource = field.kind === 'reference' && referredBy(field, around);
  if (resource && typeof value === 'string') {
    wanted.set(resource, (wanted.get(resource) ?? new Set()).add(value));
  }
  if (field.fields) collectFields(field.fields, value, wanted, depth);
  if (field.item && Array.isArray(value)) {
    for (const item of value) collect(field.item, item, around, wanted, depth + 1);
  }
  const variant = field.by ? field.variants?.[String(around[field.by])] : undefined;
  if (variant) collectFields(variant, value, wanted, depth);
}

/** Names of what one item points at, for its screen and its form. */
export function referencesOfItem(api: Api, resource: AnyResource, item: Row): Promise<References> {
  return referencesOf(api, itemFields(resource), [item]);
}
