// Resolves the names of items referenced in a list, with one request per resource.
import { Problem } from '@yagura/core/http/problem';
import type { Transport } from '@yagura/core/http/transport';
import { printFilter } from '@yagura/core/query/filter';
import type { FieldMeta } from '@yagura/core/resource/field';
import type { Fields, ResourceMeta } from '@yagura/core/resource/resource-meta';
import { resourceClient, resourceNamed } from './resource-client.ts';
import { resources } from './resources.ts';
import type { Row } from './row.ts';

/** Maximum number of names per request; the rest are shown as ids. */
const maxNamesPerResource = 50;

/** Looks up the names of referenced items, nested ones included. Deleted and unreadable items have none. */
export async function referenceNames(
  rows: readonly Row[],
  fields: Fields,
  shown: readonly string[],
  transport: Transport,
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const idsByResource = new Map<string, Set<string>>();
  for (const row of rows) {
    for (const name of shown) collectReferences(row[name], fields[name], row, idsByResource);
  }
  const found = await Promise.all(
    [...idsByResource].map(([resource, ids]) =>
      lookUpNames(resourceNamed(resource), [...ids].slice(0, maxNamesPerResource), transport, signal),
    ),
  );
  return new Map(found.flat());
}

function collectReferences(
  value: unknown,
  field: FieldMeta | undefined,
  owner: Row,
  idsByResource: Map<string, Set<string>>,
): void {
  if (!field || value === null || value === undefined) return;
  if (field.kind === 'reference') {
    const resource = String((field.resourceBy && owner[field.resourceBy]) || field.resource);
    if (typeof value !== 'string' || !resources.some(({ name }) => name === resource)) return;
    const ids = idsByResource.get(resource) ?? new Set();
    idsByResource.set(resource, ids.add(value));
  } else if (Array.isArray(value)) {
    for (const item of value) collectReferences(item, field.item, owner, idsByResource);
  } else if (typeof value === 'object' && field.fields) {
    for (const [name, part] of Object.entries(field.fields))
      collectReferences((value as Row)[name], part, value as Row, idsByResource);
  }
}

async function lookUpNames(
  meta: ResourceMeta,
  ids: readonly string[],
  transport: Transport,
  signal?: AbortSignal,
): Promise<[string, string][]> {
  const named = meta.title !== meta.id && meta.parent === undefined && meta.filterable.includes(meta.id);
  if (!named || ids.length === 0) return [];
  const terms = ids.map((value) => ({ op: 'eq' as const, field: meta.id, value }));
  const filter = printFilter(terms.length === 1 ? terms[0]! : { op: 'or', items: terms });
  try {
    const { items } = await resourceClient(meta, transport).list(
      { filter, limit: maxNamesPerResource },
      {},
      signal,
    );
    return items.map((item) => [String(item[meta.id]), String(item[meta.title])]);
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}
