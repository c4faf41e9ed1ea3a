// Filters live changes by a resource's row-level conditions, the same ones that apply to its lists.

import type { AnyResource } from '@yagura/core/resource/define-resource';
import type { Change } from '../../db/change-bus.ts';
import { createCoalescedRunner } from '../../jobs/coalesced-runner.ts';
import type { ItemSource } from '../../resource/item-store.ts';
import type { RequestContext } from '../../resource/request-context.ts';

/** The part of a behavior that limits which items a caller sees. */
export interface RowFilterSource {
  resource: AnyResource;
  parent?: RowFilterSource;
  rowFilter?: ItemSource['rowFilter'];
}

interface RowFilterOwner {
  /** Name of the resource that has the conditions. */
  owner: string;
  /** Whether that is the parent, whose id a change has as its `scope`. */
  isParent: boolean;
}

/** Where the row-level conditions are, by the name of the resource, for the resources that have any. */
export type RowFilters = ReadonlyMap<string, RowFilterOwner>;

/** Items whose parent has row-level conditions are visible to whoever sees the parent. */
export function rowFiltersOf(sources: readonly RowFilterSource[]): RowFilters {
  const found = new Map<string, RowFilterOwner>();
  for (const { resource, parent, rowFilter } of sources) {
    if (rowFilter) found.set(resource.name, { owner: resource.name, isParent: false });
    else if (parent?.rowFilter) found.set(resource.name, { owner: parent.resource.name, isParent: true });
  }
  return found;
}

/** Whether the caller sees only some items of the resource, so that each change must be checked. */
export function isNarrowed(filters: RowFilters, context: RequestContext, resource: string): boolean {
  const filter = filters.get(resource);
  return filter !== undefined && context.services.visibility.isNarrowed(context, filter.owner);
}

/** Maximum number of queued changes; a reader above it is disconnected, reconnects and reloads. */
const maxWaiting = 10_000;

export interface VisibleChangesDeps {
  filters: RowFilters;
  /** The caller's current context. */
  context(): RequestContext;
  onVisible(changes: readonly Change[]): void;
  /** Called when too many changes are queued or the database does not respond. */
  disconnect(): void;
}

/** Takes changes of resources with row-level conditions and passes on those visible to the caller. */
export function createVisibleChanges({
  filters,
  context,
  onVisible,
  disconnect,
}: VisibleChangesDeps): (changes: readonly Change[]) => void {
  let waiting: Change[] = [];
  const filterRun = createCoalescedRunner(async () => {
    const changes = waiting;
    waiting = [];
    try {
      onVisible(await filterVisible(filters, context(), changes));
    } catch {
      disconnect();
    }
  });
  return (changes) => {
    if (changes.length === 0) return;
    waiting.push(...changes);
    if (waiting.length > maxWaiting) {
      waiting = [];
      disconnect();
    } else void filterRun.run();
  };
}

/** The changes whose items the caller can see now; deleted items cannot be checked and are not reported. */
async function filterVisible(
  filters: RowFilters,
  context: RequestContext,
  changes: readonly Change[],
): Promise<Change[]> {
  const { database, visibility } = context.services;
  const seen = new Set<string>();
  const narrowedId = ({ resource, id, scope = '' }: Change) => (filters.get(resource)!.isParent ? scope : id);
  for (const name of new Set(changes.map(({ resource }) => resource))) {
    const ids = changes.filter((change) => change.resource === name).map(narrowedId);
    for (const id of await visibility.visibleIds(database, context, filters.get(name)!.owner, ids))
      seen.add(`${name} ${id}`);
  }
  return changes.filter((change) => seen.has(`${change.resource} ${narrowedId(change)}`));
}
