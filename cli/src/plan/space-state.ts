// What a space has of the kinds that are asked for, by name, and the names of everything they refer to.
import { all } from '@yagura/core/all';
import { mapInChunks } from '@yagura/core/http/chunks';
import { Problem } from '@yagura/core/http/problem';
import type { Transport } from '@yagura/core/http/transport';
import {
  type Fields,
  type IdOf,
  isId,
  type NameOf,
  type PlanItem,
  portableFields,
} from '@yagura/core/plan/plan-item';
import { isPart, parentsOf, planFacts, planKinds, planName, referredTo } from '@yagura/core/plan/plan-kinds';
import { clientFor, type PathParams } from '@yagura/core/resource/client';
import type { AnyResource } from '@yagura/core/resource/define-resource';

export interface PresentItem extends PlanItem {
  id: string;
  params: PathParams;
  /** Of a user. */
  privileged: boolean;
}

export interface SpaceState {
  items: PresentItem[];
  /** Names of what files cannot make, by resource. */
  others: Map<string, Set<string>>;
  names: Directory;
}

/** Ids by name and names by id; a name that several have stands for none of them. */
export class Directory {
  readonly #ids = new Map<string, Map<string, string[]>>();
  readonly #names = new Map<string, Map<string, string>>();

  add(resource: string, id: string, name: string): void {
    const ids = getOrMake(this.#ids, resource, () => new Map<string, string[]>());
    getOrMake(ids, name, () => []).push(id);
    getOrMake(this.#names, resource, () => new Map<string, string>()).set(id, name);
  }

  drop(resource: string, id: string): void {
    const name = this.#names.get(resource)?.get(id);
    if (name === undefined) return;
    this.#names.get(resource)!.delete(id);
    const ids = this.#ids.get(resource)!;
    ids.set(
      name,
      ids.get(name)!.filter((one) => one !== id),
    );
  }

  readonly idOf: IdOf = (resource, name) => {
    const ids = this.#ids.get(resource)?.get(name) ?? [];
    return ids.length === 1 ? ids[0] : undefined;
  };

  readonly nameOf: NameOf = (resource, id) => {
    const name = this.#names.get(resource)?.get(id);
    return name !== undefined && !isId(name) && this.idOf(resource, name) === id ? name : undefined;
  };

  namesOf(resource: string): Set<string> {
    return new Set(this.#ids.get(resource)?.keys());
  }
}

interface Found {
  resource: AnyResource;
  item: Fields;
  parents: string[];
  params: PathParams;
}

/** Reads the kinds of these names, what they lie in and what they refer to. `lenient` passes over what may not be read. */
export async function readSpace(
  transport: Transport,
  kinds: ReadonlySet<string>,
  signal: AbortSignal,
  lenient = false,
): Promise<SpaceState> {
  const names = new Directory();
  const found: Found[] = [];
  const refer = new Set<string>();
  for (const resource of planKinds) {
    if (!kinds.has(resource.name)) continue;
    for (const name of referredTo(planFacts(resource))) refer.add(name);
    for (const parent of parentsOf(resource)) refer.add(parent.name);
  }
  for (const resource of planKinds) {
    if (!kinds.has(resource.name) && !refer.has(resource.name)) continue;
    const listed = await listKind(transport, resource, found, signal).catch((error) => {
      // What is only referred to is then referred to by its id.
      if ((lenient || !kinds.has(resource.name)) && error instanceof Problem && error.kind === 'forbidden')
        return [];
      throw error;
    });
    if (!isPart(resource))
      for (const one of listed) names.add(resource.name, String(one.item[resource.id]), titleOf(one));
    found.push(...listed);
  }
  const others = new Map<string, Set<string>>();
  for (const resource of all) {
    if (!refer.has(resource.name) || planKinds.includes(resource)) continue;
    for (const one of await readable(transport, resource, signal))
      names.add(resource.name, String(one[resource.id]), String(one[resource.title]));
    others.set(resource.name, names.namesOf(resource.name));
  }
  const numbers = new Map<string, number>();
  const items = found.map((one): PresentItem => {
    const { resource, item, parents, params } = one;
    const name = titleOf(one);
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
  return { items, others, names };
}

function titleOf({ resource, item, parents }: Found): string {
  return isPart(resource) ? parents.at(-1)! : planName(resource, item);
}

/** The items of a kind, the oldest first, from every place that can hold some. */
async function listKind(
  transport: Transport,
  resource: AnyResource,
  found: readonly Found[],
  signal: AbortSignal,
): Promise<Found[]> {
  const [parent] = parentsOf(resource);
  const places = parent
    ? found
        .filter((one) => one.resource === parent)
        .map((one) => ({
          parents: [...one.parents, titleOf(one)],
          place: { ...one.params, [parent.id]: String(one.item[parent.id]) },
        }))
    : [{ parents: [], place: {} }];
  const lists = await mapInChunks(places, async ({ parents, place: params }) => {
    const items = isPart(resource)
      ? [await clientFor<Fields, Fields>(resource, transport).show(undefined, params, signal)]
      : await walked(transport, resource, params, signal);
    return items.map((item): Found => ({ resource, item, parents, params }));
  });
  return lists.flat();
}

async function walked(
  transport: Transport,
  resource: AnyResource,
  pathParams: PathParams,
  signal: AbortSignal,
): Promise<Fields[]> {
  const sort = resource.sortable.includes('createdAt') ? 'createdAt' : undefined;
  const items: Fields[] = [];
  for await (const item of clientFor<Fields, Fields>(resource, transport).fetchAll({ sort }, pathParams)) {
    signal.throwIfAborted();
    items.push(item);
  }
  return items;
}

/** What may not be read, or lies in other things, is referred to by its id. */
async function readable(transport: Transport, resource: AnyResource, signal: AbortSignal): Promise<Fields[]> {
  if (!resource.verbs.includes('list') || parentsOf(resource).length > 0) return [];
  try {
    return await walked(transport, resource, {}, signal);
  } catch (error) {
    if (error instanceof Problem && error.kind === 'forbidden') return [];
    throw error;
  }
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
