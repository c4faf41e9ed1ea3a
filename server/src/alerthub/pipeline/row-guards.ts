// Guards of the pipeline's queues: a message, waiting trigger or runbook record that cannot be evaluated is
// found, ended as failed or put off, and the others continue.

import { isoTime } from '../../common/clock.ts';
import type { Log } from '../../common/log.ts';
import type { Change } from '../../db/change-bus.ts';
import type { Queryable } from '../../db/database.ts';
import { type GuardedQueue, PoisonRowGuard } from '../../jobs/poison-row-guard.ts';
import { findFirstDueRunbook, maxDueRunbooks } from './due-runbooks.ts';
import { findFirstDueTrigger, maxDueTriggers } from './due-triggers.ts';
import {
  type FailureDeps,
  failMessage,
  failRunbookRecord,
  failWaitingTrigger,
  findFirstPending,
  type PendingKey,
  postponeMessage,
  postponeRow,
} from './fail-pending.ts';

interface GuardDeps extends FailureDeps {
  log: Log;
}

/** Runs a write between batches and announces its changes after the commit. */
type RunSeparately = (work: (db: Queryable) => Promise<Change[]>) => Promise<void>;

/** `onPostponed` is called after a message that could not be marked as failed was removed from the queue. */
export function guardMessages(
  deps: GuardDeps,
  runSeparately: RunSeparately,
  queue: Pick<GuardedQueue<PendingKey>, 'maxBatchSize' | 'work'> & { onPostponed: () => void },
): PoisonRowGuard<PendingKey> {
  return new PoisonRowGuard(deps.log, {
    label: 'deciding messages',
    maxBatchSize: queue.maxBatchSize,
    work: queue.work,
    firstKey: () => findFirstPending(deps.database),
    failRow: (key, error) => runSeparately((db) => failMessage(db, deps, key, error)),
    postpone: async (key, error) => {
      await runSeparately(async (db) => {
        await postponeMessage(db, deps, key, error);
        return [];
      });
      queue.onPostponed();
    },
    isStoreResponsive: () => isStoreResponsive(deps),
  });
}

export function guardDueTriggers(
  deps: GuardDeps,
  runSeparately: RunSeparately,
  work: GuardedQueue<string>['work'],
): PoisonRowGuard<string> {
  return new PoisonRowGuard(deps.log, {
    label: 'deciding waiting triggers',
    maxBatchSize: maxDueTriggers,
    work,
    firstKey: () => findFirstDueTrigger(deps.database, isoTime(deps.clock.now())),
    failRow: (id, error) => runSeparately((db) => failWaitingTrigger(db, deps, id, error)),
    postpone: (id) => postponeRow(deps.database, deps, 'waiting_trigger', id),
    isStoreResponsive: () => isStoreResponsive(deps),
  });
}

export function guardDueRunbooks(
  deps: GuardDeps,
  runSeparately: RunSeparately,
  work: GuardedQueue<string>['work'],
): PoisonRowGuard<string> {
  return new PoisonRowGuard(deps.log, {
    label: 'running runbooks',
    maxBatchSize: maxDueRunbooks,
    work,
    firstKey: () => findFirstDueRunbook(deps.database, isoTime(deps.clock.now())),
    failRow: (id, error) => runSeparately((db) => failRunbookRecord(db, deps, id, error)),
    postpone: (id) => postponeRow(deps.database, deps, 'runbook_record', id),
    isStoreResponsive: () => isStoreResponsive(deps),
  });
}

async function isStoreResponsive({ database }: GuardDeps): Promise<boolean> {
  await database.query('select 1');
  return true;
}
