// Claims tasks; one that the database refuses to claim fails, and the others start.
import type { Clock } from '../common/clock.ts';
import type { Log } from '../common/log.ts';
import { SpaceShares } from '../common/spaces/space-shares.ts';
import type { Database } from '../db/database.ts';
import { ClaimGuard } from './claim-guard.ts';
import { rowLeaseMs } from './leases/row-leases.ts';
import {
  type ClaimedTask,
  claimExpiredTasks,
  claimTasks,
  findExpiredTasks,
  findWaitingTasks,
  type TaskLease,
} from './task-store.ts';

/** Concurrent runs per process; further ones wait. A space alone has at most 16. */
const limits = { max: 20, weight: 4 };

export interface TaskClaims {
  /**
   * Claims requested tasks, or running tasks of dead processes, as long as there is room and until `isClosed`; `handle` is
   * called for each.
   */
  claimEach(
    kind: 'waiting' | 'expired',
    isClosed: () => boolean,
    handle: (task: ClaimedTask) => Promise<void>,
  ): Promise<void>;
}

interface TaskClaimDeps {
  database: Database;
  clock: Clock;
  log: Log;
  instance: string;
}

/**
 * `methods` returns those that can run (`namespace method`), `spaces` the space of each task that runs here; `fail`
 * ends a task that cannot be claimed.
 */
export function guardTaskClaims(
  deps: TaskClaimDeps,
  methods: () => string[],
  spaces: () => string[],
  fail: (taskId: string) => Promise<void>,
): TaskClaims {
  const { database, clock, instance } = deps;
  const shares = () => new SpaceShares(limits, spaces());
  const fullSpaces = () => shares().full;
  const lease = (): TaskLease => {
    const now = clock.now();
    return { owner: instance, now, leaseUntil: now + rowLeaseMs };
  };
  const end = async (taskId: string) => {
    await fail(taskId);
    return true;
  };
  const guards = {
    waiting: new ClaimGuard<ClaimedTask>(deps, {
      queue: 'waiting tasks',
      claim: (range) =>
        claimTasks(database, { ...lease(), methods: methods(), exceptSpaces: fullSpaces() }, range),
      findDue: (range) => findWaitingTasks(database, methods(), range, fullSpaces()),
      end,
    }),
    expired: new ClaimGuard<ClaimedTask>(deps, {
      queue: 'tasks of ended processes',
      claim: (range) => claimExpiredTasks(database, { ...lease(), exceptSpaces: fullSpaces() }, range),
      findDue: (range) => findExpiredTasks(database, clock.now(), range, fullSpaces()),
      end,
    }),
  };
  return {
    async claimEach(kind, isClosed, handle) {
      let claimed: ClaimedTask[];
      let max: number;
      do {
        max = shares().freeForOne;
        claimed = max > 0 && !isClosed() ? await guards[kind].claim(max) : [];
        for (const task of claimed) await handle(task);
      } while (max > 0 && claimed.length === max);
    },
  };
}
