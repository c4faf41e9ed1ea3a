// Claims tasks; one that the database refuses to claim fails, and the others start.
import type { Clock } from '../common/clock.ts';
import type { Log } from '../common/log.ts';
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

export interface TaskClaims {
  /** Requested tasks. */
  waiting: ClaimGuard<ClaimedTask>;
  /** Running tasks of dead processes. */
  expired: ClaimGuard<ClaimedTask>;
}

interface TaskClaimDeps {
  database: Database;
  clock: Clock;
  log: Log;
  instance: string;
}

/** `methods` returns those that can run (`namespace method`); `fail` ends a task that cannot be claimed. */
export function guardTaskClaims(
  deps: TaskClaimDeps,
  methods: () => string[],
  fail: (taskId: string) => Promise<void>,
): TaskClaims {
  const { database, clock, instance } = deps;
  const lease = (): TaskLease => {
    const now = clock.now();
    return { owner: instance, now, leaseUntil: now + rowLeaseMs };
  };
  const end = async (taskId: string) => {
    await fail(taskId);
    return true;
  };
  return {
    waiting: new ClaimGuard(deps, {
      queue: 'waiting tasks',
      claim: (range) => claimTasks(database, { ...lease(), methods: methods() }, range),
      findDue: (range) => findWaitingTasks(database, methods(), range),
      end,
    }),
    expired: new ClaimGuard(deps, {
      queue: 'tasks of ended processes',
      claim: (range) => claimExpiredTasks(database, lease(), range),
      findDue: (range) => findExpiredTasks(database, clock.now(), range),
      end,
    }),
  };
}
