// Which changes are about items that a caller sees: what the row-level conditions of a resource say of a list holds for its changes.
import { behaviours } from '../behaviours.ts';
import { oneAtATime } from '../jobs/one-at-a-time.ts';
import type { Change } from '../resource/change-bus.ts';
import type { RequestContext } from '../resource/context.ts';
import { Sql } from '../resource/sql.ts';
import { visibleIds } from '../resource/store.ts';
import { bodyTable } from '../resource/table.ts';

const narrowed = new Map(
  behaviours.filter(({ narrow }) => narrow).map((behaviour) => [behaviour.resource.name, behaviour]),
);

/** Whether the caller sees some items of the resource and others not, so that each change has to be looked at. */
export function isNarrowed(context: RequestContext, resource: string): boolean {
  return narrowed.get(resource)?.narrow?.(context, new Sql()) !== undefined;
}

/** Changes that wait to be looked at; a reader with more of them is cut off, reconnects and reloads. */
const maxWaiting = 10_000;

export interface SeenChangesParts {
  /** The caller as they are now. */
  context(): RequestContext;
  tell(changes: readonly Change[]): void;
  /** There are too many, or the store does not answer. */
  cutOff(): void;
}

/** Takes changes of narrowed resources and tells those that the caller sees. */
export function createSeenChanges({
  context,
  tell,
  cutOff,
}: SeenChangesParts): (changes: readonly Change[]) => void {
  let waiting: Change[] = [];
  const looks = oneAtATime(async () => {
    const changes = waiting;
    waiting = [];
    try {
      tell(await seenOf(context(), changes));
    } catch {
      cutOff();
    }
  });
  return (changes) => {
    if (changes.length === 0) return;
    waiting.push(...changes);
    if (waiting.length > maxWaiting) {
      waiting = [];
      cutOff();
    } else void looks.run();
  };
}

/** The changes whose items the caller sees now; of what is gone nothing is known any more, and nothing told. */
async function seenOf(context: RequestContext, changes: readonly Change[]): Promise<Change[]> {
  const seen = new Set<string>();
  for (const name of new Set(changes.map(({ resource }) => resource))) {
    const { resource, table = bodyTable(resource), narrow } = narrowed.get(name)!;
    const ids = changes.filter((change) => change.resource === name).map(({ id }) => id);
    for (const id of await visibleIds(context, resource, table, ids, (sql) => narrow?.(context, sql)))
      seen.add(`${name} ${id}`);
  }
  return changes.filter(({ resource, id }) => seen.has(`${resource} ${id}`));
}
