// Deletes the logs of closed sessions past the retention of their space. A session is marked first, from when on its logs
// cannot be read; then its chunks go in batches, so that a long recording does not hold up the database.
import { logRetention } from '@yagura/core/greac/log-retention';
import { session } from '@yagura/core/greac/session';
import { isoTime } from '../common/clock.ts';
import { errorFields } from '../common/log.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { PeriodicJob } from '../jobs/periodic-job.ts';
import { runIsolatingFaults } from '../jobs/poison-row-guard.ts';
import { createRetentionBehaviour } from '../resource/retention/create-retention-behaviour.ts';
import { deleteInBatches } from '../resource/retention/delete-in-batches.ts';
import { createRetentionJob, type RetentionDeps } from '../resource/retention/retention-job.ts';

const table = 'greac_log_retention';
/** Chunks (at most 256 KiB each) that are deleted in one transaction. */
const chunksPerTransaction = 100;

export const logRetentionBehaviour = createRetentionBehaviour(logRetention, table);

export function createLogRetention(deps: RetentionDeps): PeriodicJob {
  const { database, clock, log, spaceId } = deps;
  return createRetentionJob(deps, {
    ...{ settings: logRetention, table, resource: session, op: 'update', lockSeed: '5120947732660914287' },
    ...{ daysColumn: 'log_days', totalColumn: 'removed_sessions', batchSize: 500 },
    select: `select s.session_id as id from greac_session s
      where s.space_id = $1 and s.status = 'closed' and s.logs_deleted_at is null and s.closed_at < $2
        and (exists (select 1 from greac_log_chunk c where c.session_id = s.session_id)
          or exists (select 1 from greac_log_seal l where l.session_id = s.session_id)
          or exists (select 1 from greac_log_end e where e.session_id = s.session_id))
        and s.session_id <> all($3::uuid[])
      order by s.closed_at limit $4`,
    remove: (tx, ids) => markLogs(tx, ids, isoTime(clock.now())),
    async finish(_until, isClosed) {
      const { rows } = await database.query<{ id: string }>(
        'select session_id as id from greac_session where space_id = $1 and logs_leaving order by session_id',
        [spaceId],
      );
      for (const { id } of rows)
        await runIsolatingFaults(
          [id],
          () => deleteMarkedLogs(database, id, isClosed),
          async (_, error) => {
            const message = 'the logs of a session could not be deleted';
            log({ level: 'error', message, id, ...errorFields(error) });
          },
        );
    },
  });
}

/** Marks sessions, whose logs cannot be read any more. Returns the ids of those that were not marked. */
async function markLogs(tx: Transaction, sessionIds: readonly string[], at: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `update greac_session set logs_deleted_at = $2, logs_leaving = true, updated_at = $2, version = version + 1
     where session_id = any($1::uuid[]) and logs_deleted_at is null returning session_id as id`,
    [sessionIds, at],
  );
  return rows.map(({ id }) => id);
}

/** Deletes the logs of a marked session, until `isClosed`; the next call continues. */
export async function deleteMarkedLogs(
  database: Database,
  sessionId: string,
  isClosed: () => boolean,
): Promise<void> {
  const isDone = await deleteInBatches(chunksPerTransaction, isClosed, async () => {
    const { rowCount } = await database.query(
      `delete from greac_log_chunk where session_id = $1 and (kind, part, chunk) in (
         select kind, part, chunk from greac_log_chunk where session_id = $1 order by kind, part, chunk limit $2)`,
      [sessionId, chunksPerTransaction],
    );
    return rowCount!;
  });
  if (!isDone) return;
  await database.transaction(async (tx) => {
    // Another replica may be deleting the same chunks.
    const { rowCount } = await tx.query(
      `update greac_session set logs_leaving = false where session_id = $1
         and not exists (select 1 from greac_log_chunk where session_id = $1)`,
      [sessionId],
    );
    if (rowCount === 0) return;
    await tx.query('delete from greac_log_seal where session_id = $1', [sessionId]);
    await tx.query('delete from greac_log_end where session_id = $1', [sessionId]);
  });
}
