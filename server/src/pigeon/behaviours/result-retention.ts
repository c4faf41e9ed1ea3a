// Deletes call results past the retention of their space.
import { result } from '@yagura/core/pigeon/result';
import { resultRetention } from '@yagura/core/pigeon/result-retention';
import type { Transaction } from '../../db/database.ts';
import type { PeriodicJob } from '../../jobs/periodic-job.ts';
import { createRetentionBehaviour } from '../../resource/retention/create-retention-behaviour.ts';
import { createRetentionJob, type RetentionDeps } from '../../resource/retention/retention-job.ts';

const table = 'pigeon_result_retention';

export const resultRetentionBehaviour = createRetentionBehaviour(resultRetention, table);

export function createResultRetention(deps: RetentionDeps): PeriodicJob {
  return createRetentionJob(deps, {
    ...{ settings: resultRetention, table, resource: result, lockSeed: '6620447193308127746' },
    ...{ daysColumn: 'result_days', totalColumn: 'removed_results', batchSize: 200 },
    select: `select c.result_id as id from pigeon_chain c
      where c.space_id = $1 and c.ended_at < $2 and c.owner is null and c.due_at is null and c.result_id <> all($3::uuid[])
      order by c.ended_at limit $4`,
    remove: removeResults,
  });
}

async function removeResults(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  await tx.query(
    `update action_record a set result_id = null from pigeon_chain c
     where c.result_id = any($1::uuid[]) and a.action_record_id = c.action_record_id`,
    [ids],
  );
  await tx.query('delete from pigeon_call where result_id = any($1::uuid[])', [ids]);
  const { rows } = await tx.query<{ id: string }>(
    'delete from pigeon_chain where result_id = any($1::uuid[]) returning result_id as id',
    [ids],
  );
  return rows.map(({ id }) => id);
}
