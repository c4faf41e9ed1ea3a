// Loads the items of the requested kinds and a directory of the names they refer to.
import { mapReferences } from '@yagura/core/alerthub/bulk/map-references';
import { resources } from '@yagura/core/all';
import { mapInChunks } from '@yagura/core/http/chunks';
import { Problem } from '@yagura/core/http/problem';
import type { Transport } from '@yagura/core/http/transport';
import { getOrCreate } from '@yagura/core/plan/get-or-create';
import { itemPathKey } from '@yagura/core/plan/plan-deletions';
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
  isKeptByReferences,
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

/** What is read of the kinds of one state. */
export interface ReadOptions {
  /** Kinds that are skipped when the caller may not read them. */
  optional?: ReadonlySet<string>;
  /** Kinds that are read below some parents only, by the `itemPathKey` of these. */
  below?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** An item of a kind that files cannot have, with the ids it refers to by resource. */
export interface OutsideUser {
  resource: AnyResource;
  name: string;
  references: { resource: string; id: string }[];
}

/** Reads the items of a space. A kind that was read as a whole is not read again: all states are of the same moment. */
export class SpaceReader {
  readonly #transport: Transport;
  readonly #signal: AbortSignal;
  readonly #listed = new Map<string, Promise<ListedItem[]>>();
  readonly #referable = new Map<string, Promise<{ id: string; name: string }[]>>();

  constructor(transport: Transport, signal: AbortSignal) {
    this.#transport = transport;
    this.#signal = signal;
  }

  /** Reads the given kinds, their parents and the resources they refer to. */
  async read(
    kinds: ReadonlySet<string>,
    { optional = new Set(), below = new Map() }: ReadOptions = {},
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
      const listed = await this.#list(resource, found, below).catch((error) => {
        // Items of a kind that is only referenced keep their ids as references.
        const isRequired = kinds.has(resource.name) && !optional.has(resource.name);
        if (!isRequired && error instanceof Problem && error.kind === 'forbidden') {
          unreadable.add(resource.name);
          return [];
        }
        throw error;
      });
      if (!isParentPart(resource))
        for (const one of listed)
          names.add(resource.name, String(one.item[resource.id]), listedItemName(one));
      for (const one of listed) found.push(one);
    }
    const others = new Map<string, Set<string>>();
    for (const resource of resources) {
      if (!referenced.has(resource.name) || planKinds.includes(resource)) continue;
      const referable = await once(this.#referable, resource.name, () =>
        fetchReferable(this.#transport, resource, found, this.#signal),
      );
      for (const { id, name } of referable) names.add(resource.name, id, name);
      others.set(resource.name, names.namesOf(resource.name));
    }
    return { items: toExistingItems(found, names), others, names, unreadable };
  }

  /** Items of kinds that files cannot have and that refer to items of these kinds, as far as the caller may read them. */
  async readOutsideUsers(kinds: ReadonlySet<string>): Promise<OutsideUser[]> {
    const using = resources.filter(
      (resource) =>
        !planKinds.includes(resource) &&
        // What cannot be deleted is a record, which keeps nothing from being deleted.
        resource.verbs.includes('list') &&
        resource.verbs.includes('remove') &&
        parentsOf(resource).length === 0 &&
        referencedResources(planFields(resource)).some((name) => isKeptByReferences(name) && kinds.has(name)),
    );
    const lists = await mapInChunks(using, async (resource) => {
      const items = await fetchAllItems(this.#transport, resource, {}, this.#signal).catch((error) => {
        if (error instanceof Problem && error.kind === 'forbidden') return [];
        throw error;
      });
      return items.map((item) => toOutsideUser(resource, item));
    });
    return lists.flat();
  }

  #list(
    resource: AnyResource,
    found: readonly ListedItem[],
    below: ReadonlyMap<string, ReadonlySet<string>>,
  ): Promise<ListedItem[]> {
    const known = this.#listed.get(resource.name);
    if (known) return known;
    const [parent] = parentsOf(resource);
    const parents = parent ? found.filter((one) => one.resource === parent) : [];
    const keys = below.get(resource.name);
    if (!parent || !keys)
      return once(this.#listed, resource.name, () =>
        listKind(this.#transport, resource, parents, this.#signal),
      );
    const isWanted = (one: ListedItem) =>
      // All that was read of such a parent is wanted.
      below.has(parent.name) ||
      keys.has(itemPathKey({ kind: parent.name, parents: one.parents, name: listedItemName(one) }));
    return listKind(this.#transport, resource, parents.filter(isWanted), this.#signal);
  }
}

/** The promise of the key; a failed one is forgotten. */
function once<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  return getOrCreate(known, key, () => {
    const reading = read();
    reading.catch(() => known.delete(key));
    return reading;
  });
}

function toExistingItems(found: readonly ListedItem[], names: NameIndex): ExistingItem[] {
  const numbers = new Map<string, number>();
  return found.map((one): ExistingItem => {
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
}

function toOutsideUser(resource: AnyResource, item: Fields): OutsideUser {
  const references: OutsideUser['references'] = [];
  mapReferences(planFields(resource), item, (kind, id) => {
    if (typeof id === 'string') references.push({ resource: kind, id });
    return id;
  });
  return { resource, name: String(item[resource.title]), references };
}

function listedItemName({ resource, item, parents }: ListedItem): string {
  return isParentPart(resource) ? parents.at(-1)! : identifyingName(resource, item);
}

/** Lists the items of a kind, oldest first; of one with a parent those below each of these. */
async function listKind(
  transport: Transport,
  resource: AnyResource,
  parents: readonly ListedItem[],
  signal: AbortSignal,
): Promise<ListedItem[]> {
  const [parent] = parentsOf(resource);
  const parentPaths = parent
    ? parents.map((one) => ({
        parents: [...one.parents, listedItemName(one)],
        params: { ...one.params, [parent.id]: String(one.item[parent.id]) },
      }))
    : [{ parents: [], params: {} }];
  const lists = await mapInChunks(
    parentPaths,
    async ({ parents, params }) => {
      const items = isParentPart(resource)
        ? [await createClient<Fields, Fields>(resource, transport).show(undefined, params, signal)]
        : await fetchAllItems(transport, resource, params, signal);
      return items.map((item): ListedItem => ({ resource, item, parents, params }));
    },
    { signal },
  );
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
  const client = createClient<Fields, Fields>(resource, transport);
  for await (const item of client.fetchAll({ sort }, pathParams, signal)) items.push(item);
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
