// Filters live changes by a resource's row-level conditions, the same ones that apply to its lists.

import type { Change } from '../../changes/change-bus.ts';
import { behaviours } from '../../hosting/behaviours.ts';
import { createCoalescedRunner } from '../../jobs/coalesced-runner.ts';
import { visibleIds } from '../../resource/item-store.ts';
import { Sql } from '../../resource/list/sql.ts';
import { bodyTable } from '../../resource/list/table.ts';
import type { RequestContext } from '../../resource/request-context.ts';

const narrowedBehaviours = new Map(
  behaviours.filter(({ rowFilter }) => rowFilter).map((behaviour) => [behaviour.resource.name, behaviour]),
);

/** Whether the caller sees only some items of the resource, so that each change must be checked. */
export function isNarrowed(context: RequestContext, resource: string): boolean {
  return narrowedBehaviours.get(resource)?.rowFilter?.(context, new Sql()) !== undefined;
}

/** Maximum number of queued changes; a reader above it is disconnected, reconnects and reloads. */
const maxWaiting = 10_000;

export interface VisibleChangesDeps {
  /** The caller's current context. */
  context(): RequestContext;
  onVisible(changes: readonly Change[]): void;
  /** Called when too many changes are queued or the database does not respond. */
  disconnect(): void;
}

/** Takes changes of resources with row-level conditions and passes on those visible to the caller. */
export function createVisibleChanges({
  context,
  onVisible,
  disconnect,
}: VisibleChangesDeps): (changes: readonly Change[]) => void {
  let waiting: Change[] = [];
  const filterRun = createCoalescedRunner(async () => {
    const changes = waiting;
    waiting = [];
    try {
      onVisible(await filterVisible(context(), changes));
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
async function filterVisible(context: RequestContext, changes: readonly Change[]): Promise<Change[]> {
  const seen = new Set<string>();
  for (const name of new Set(changes.map(({ resource }) => resource))) {
    const { resource, table = bodyTable(resource), rowFilter } = narrowedBehaviours.get(name)!;
    const ids = changes.filter((change) => change.resource === name).map(({ id }) => id);
    for (const id of await visibleIds(context, resource, table, ids, (sql) => rowFilter?.(context, sql)))
      seen.add(`${name} ${id}`);
  }
  return changes.filter(({ resource, id }) => seen.has(`${resource} ${id}`));
}
