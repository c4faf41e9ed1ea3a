// Loads the items of the requested kinds and a directory of the names they refer to.
import { resources } from '@yagura/core/all';
import { mapInChunks } from '@yagura/core/http/chunks';
import { Problem } from '@yagura/core/http/problem';
import type { Transport } from '@yagura/core/http/transport';
import {
  type Fields,
  isId,
  type LookupId,
  type LookupName,
  type PlanItem,
  portableFields,
} from '@yagura/core/plan/plan-item';
import {
  identifyingName,
  isParentPart,
  parentsOf,
  planFields,
  planKinds,
  referencedResources,
} from '@yagura/core/plan/plan-kinds';
import { createClient, type PathParams } from '@yagura/core/resource/client';
import type { AnyResource } from '@yagura/core/resource/define-resource';

export interface ExistingItem extends PlanItem {
  id: string;
  params: PathParams;
  /** Only for users. */
  privileged: boolean;
}

export interface SpaceState {
  items: ExistingItem[];
  /** Names of resources that cannot be configured in files, by resource. */
  others: Map<string, Set<string>>;
  names: NameIndex;
  /** Optional kinds that the caller may not read. */
  unreadable: Set<string>;
}

/** Maps names to ids and ids to names; a duplicate name resolves to nothing. */
export class NameIndex {
  readonly #ids = new Map<string, Map<string, string[]>>();
  readonly #names = new Map<string, Map<string, string>>();

  add(resource: string, id: string, name: string): void {
    const ids = getOrCreate(this.#ids, resource, () => new Map<string, string[]>());
    getOrCreate(ids, name, () => []).push(id);
    getOrCreate(this.#names, resource, () => new Map<string, string>()).set(id, name);
  }

  remove(resource: string, id: string): void {
    const name = this.#names.get(resource)?.get(id);
    if (name === undefined) return;
    this.#names.get(resource)!.delete(id);
    const ids = this.#ids.get(resource)!;
    ids.set(
      name,
      ids.get(name)!.filter((one) => one !== id),
    );
  }

  readonly idOf: LookupId = (resource, name) => {
    const ids = this.#ids.get(resource)?.get(name) ?? [];
    return ids.length === 1 ? ids[0] : undefined;
  };

  readonly nameOf: LookupName = (resource, id) => {
    const name = this.#names.get(resource)?.get(id);
    return name !== undefined && !isId(name) && this.idOf(resource, name) === id ? name : undefined;
  };

  namesOf(resource: string): Set<string> {
    return new Set(this.#ids.get(resource)?.keys());
  }
}

interface ListedItem {
  resource: AnyResource;
  item: Fields;
  parents: string[];
  params: PathParams;
}

/**
 * Reads the given kinds, their parents and the resources they refer to. Optional kinds that the caller may not
 * read are skipped.
 */
export async function readSpaceState(
  transport: Transport,
  kinds: ReadonlySet<string>,
  signal: AbortSignal,
  optional: ReadonlySet<string> = new Set(),
): Promise<SpaceState> {
  const names = new NameIndex();
  const found: ListedItem[] = [];
  const referenced = new Set<string>();
  const unreadable = new Set<string>();
  for (const resource of planKinds) {
    if (!kinds.has(resource.name)) continue;
    for (const name of referencedResources(planFields(resource))) referenced.add(name);
    for (const parent of parentsOf(resource)) referenced.add(parent.name);
  }
  for (const resource of planKinds) {
    if (!kinds.has(resource.name) && !referenced.has(resource.name)) continue;
    // The parts of what may not be read are not known either.
    if (parentsOf(resource).some(({ name }) => unreadable.has(name))) unreadable.add(resource.name);
    const listed = await listKind(transport, resource, found, signal).catch((error) => {
      // Items of a kind that is only referenced keep their ids as references.
      const isRequired = kinds.has(resource.name) && !optional.has(resource.name);
      if (!isRequired && error instanceof Problem && error.kind === 'forbidden') {
        unreadable.add(resource.name);
        return [];
      }
      throw error;
    });
    if (!isParentPart(resource))
      for (const one of listed) names.add(resource.name, String(one.item[resource.id]), listedItemName(one));
    found.push(...listed);
  }
  const others = new Map<string, Set<string>>();
  for (const resource of resources) {
    if (!referenced.has(resource.name) || planKinds.includes(resource)) continue;
    for (const { id, name } of await fetchReferable(transport, resource, found, signal))
      names.add(resource.name, id, name);
    others.set(resource.name, names.namesOf(resource.name));
  }
  const numbers = new Map<string, number>();
  const items = found.map((one): ExistingItem => {
    const { resource, item, parents, params } = one;
    const name = listedItemName(one);
    const same = JSON.stringify([resource.name, parents, name]);
    const number = numbers.get(same) ?? 0;
    numbers.set(same, number + 1);
    const fields = portableFields(resource, item, names.nameOf);
    const id = String(item[resource.id]);
    return {
      kind: resource.name,
      parents,
      name,
      number,
      fields,
      id,
      params,
      privileged: item.privileged === true,
    };
  });
  return { items, others, names, unreadable };
}

function listedItemName({ resource, item, parents }: ListedItem): string {
  return isParentPart(resource) ? parents.at(-1)! : identifyingName(resource, item);
}

/** Lists the items of a kind under every possible parent, oldest first. */
async function listKind(
  transport: Transport,
  resource: AnyResource,
  found: readonly ListedItem[],
  signal: AbortSignal,
): Promise<ListedItem[]> {
  const [parent] = parentsOf(resource);
  const parentPaths = parent
    ? found
        .filter((one) => one.resource === parent)
        .map((one) => ({
          parents: [...one.parents, listedItemName(one)],
          params: { ...one.params, [parent.id]: String(one.item[parent.id]) },
        }))
    : [{ parents: [], params: {} }];
  const lists = await mapInChunks(parentPaths, async ({ parents, params }) => {
    const items = isParentPart(resource)
      ? [await createClient<Fields, Fields>(resource, transport).show(undefined, params, signal)]
      : await fetchAllItems(transport, resource, params, signal);
    return items.map((item): ListedItem => ({ resource, item, parents, params }));
  });
  return lists.flat();
}

async function fetchAllItems(
  transport: Transport,
  resource: AnyResource,
  pathParams: PathParams,
  signal: AbortSignal,
): Promise<Fields[]> {
  const sort = resource.sortable.includes('createdAt') ? 'createdAt' : undefined;
  const items: Fields[] = [];
  for await (const item of createClient<Fields, Fields>(resource, transport).fetchAll({ sort }, pathParams)) {
    signal.throwIfAborted();
    items.push(item);
  }
  return items;
}

/**
 * Names of items that files cannot create; one with a parent is named `parent/name`. Resources that may not be
 * read, or whose parent has a parent, are referenced by id.
 */
async function fetchReferable(
  transport: Transport,
  resource: AnyResource,
  found: readonly ListedItem[],
  signal: AbortSignal,
): Promise<{ id: string; name: string }[]> {
  const [parent, ...above] = parentsOf(resource);
  if (!resource.verbs.includes('list') || above.length > 0) return [];
  const places = parent
    ? found
        .filter((one) => one.resource === parent)
        .map((one) => ({
          prefix: `${listedItemName(one)}/`,
          params: { [parent.id]: String(one.item[parent.id]) },
        }))
    : [{ prefix: '', params: {} }];
  try {
    const lists = await mapInChunks(places, async ({ prefix, params }) =>
      (await fetchAllItems(transport, resource, params, signal)).map((one) => ({
        id: String(one[resource.id]),
        name: `${prefix}${String(one[resource.title])}`,
      })),
    );
    return lists.flat();
  } catch (error) {
    if (error instanceof Problem && error.kind === 'forbidden') return [];
    throw error;
  }
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
