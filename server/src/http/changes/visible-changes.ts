// Which changes are about items that a caller sees: what the row-level conditions of a resource say of a list holds for its changes.
import { behaviours } from '../../hosting/behaviours.ts';
import { createCoalescedRunner } from '../../jobs/coalesced-runner.ts';
import type { Change } from '../../resource/change-bus.ts';
import { visibleIds } from '../../resource/item-store.ts';
import { Sql } from '../../resource/list/sql.ts';
import { bodyTable } from '../../resource/list/table.ts';
import type { RequestContext } from '../../resource/request-context.ts';

const narrowedBehaviours = new Map(
  behaviours.filter(({ rowFilter }) => rowFilter).map((behaviour) => [behaviour.resource.name, behaviour]),
);

/** Whether the caller sees some items of the resource and others not, so that each change has to be looked at. */
export function isNarrowed(context: RequestContext, resource: string): boolean {
  return narrowedBehaviours.get(resource)?.rowFilter?.(context, new Sql()) !== undefined;
}

/** Changes that wait to be looked at; a reader with more of them is cut off, reconnects and reloads. */
const maxWaiting = 10_000;

export interface VisibleChangesDeps {
  /** The caller as they are now. */
  context(): RequestContext;
  onVisible(changes: readonly Change[]): void;
  /** There are too many, or the store does not answer. */
  disconnect(): void;
}

/** Takes changes of narrowed resources and tells those that the caller sees. */
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

/** The changes whose items the caller sees now; of what is gone nothing is known any more, and nothing told. */
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
