// Decides which items that are in no file are deleted, and which have to stay.
import { mapReferences } from '../alerthub/bulk/map-references.ts';
import { getOrCreate } from './get-or-create.ts';
import { type PlanItem, planItemKey } from './plan-item.ts';
import { isKeptByReferences, isParentPart, planFields, planKindNamed, planKinds } from './plan-kinds.ts';

export interface DeletionRequest {
  existing: readonly PlanItem[];
  /** Existing items of the files' kinds that the files do not contain. */
  extra: readonly PlanItem[];
  /** Keys of the items in the files. */
  desiredKeys: ReadonlySet<string>;
  /** Why an item cannot be deleted; undefined if it can. */
  keepReason(item: PlanItem): string | undefined;
  /** Why an item that these refer to stays. */
  usedReason(users: readonly PlanItem[]): string;
}

export interface Deletions {
  deleted: ReadonlySet<PlanItem>;
  kept: { item: PlanItem; reason: string }[];
}

/**
 * The server deletes nothing that another item refers to. Items outside the files may do so, and an item that stays keeps
 * those that it refers to itself.
 */
export function planDeletions(request: DeletionRequest): Deletions {
  const { existing, extra, desiredKeys, keepReason, usedReason } = request;
  const kept = new Map<PlanItem, string>();
  for (const item of extra) {
    const reason = keepReason(item);
    if (reason !== undefined) kept.set(item, reason);
  }
  while (true) {
    const deleted = deletedItems(existing, extra, kept);
    // References of items in the files are checked as the files want them.
    const staying = existing.filter((item) => !deleted.has(item) && !desiredKeys.has(planItemKey(item)));
    const users = referringItems(staying);
    const used = [...deleted].filter((item) => users.has(referenceKey(item.kind, item.name)));
    if (used.length === 0) return { deleted, kept: [...kept].map(([item, reason]) => ({ item, reason })) };
    for (const item of used) kept.set(item, usedReason(users.get(referenceKey(item.kind, item.name))!));
  }
}

/**
 * Items without a name of their own are deleted with their parent only. Whatever is below a deleted item, of any kind,
 * goes with it: as steps of their own they are shown, and the way back has them.
 */
function deletedItems(
  existing: readonly PlanItem[],
  extra: readonly PlanItem[],
  kept: ReadonlyMap<PlanItem, string>,
): Set<PlanItem> {
  const named = extra.filter((item) => !kept.has(item) && !isParentPart(planKindNamed(item.kind)));
  const deleted = new Set(named);
  const pathKeys = new Set(named.map(itemPathKey));
  for (const { name } of planKinds)
    for (const item of existing) {
      if (item.kind !== name || item.parents.length === 0 || !pathKeys.has(parentPathKey(item))) continue;
      deleted.add(item);
      pathKeys.add(itemPathKey(item));
    }
  return deleted;
}

/** The items that refer to each kind and name. Only items without parents are referred to by name. */
function referringItems(items: readonly PlanItem[]): Map<string, PlanItem[]> {
  const users = new Map<string, PlanItem[]>();
  for (const item of items) {
    const own = new Set<string>();
    mapReferences(planFields(planKindNamed(item.kind)), item.fields, (kind, value) => {
      if (isKeptByReferences(kind) && typeof value === 'string') own.add(referenceKey(kind, value));
      return value;
    });
    for (const key of own) getOrCreate(users, key, () => []).push(item);
  }
  return users;
}

/** Key of a reference to an item by its name or id. */
export const referenceKey = (kind: string, nameOrId: string) => `${kind}\n${nameOrId}`;

/** Key of an item as the parent of others. */
export function itemPathKey({ kind, parents, name }: Pick<PlanItem, 'kind' | 'parents' | 'name'>): string {
  return JSON.stringify([kind, ...parents, name]);
}

/** The `itemPathKey` of an item's parent. */
export function parentPathKey({ kind, parents }: Pick<PlanItem, 'kind' | 'parents'>): string {
  return JSON.stringify([planKindNamed(kind).parent, ...parents]);
}
