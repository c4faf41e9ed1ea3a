// Retention of session logs; `LogCleanup` deletes what is older.
import { logRetention } from '@yagura/core/greac/log-retention';
import { Problem } from '@yagura/core/http/problem';
import { isoTime } from '../common/clock.ts';
import type { Queryable } from '../db/database.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import { announce, checkMatch } from '../resource/item-operations.ts';
import type { StoredItem } from '../resource/item-store.ts';
import type { RequestContext } from '../resource/request-context.ts';

export const logRetentionBehaviour: Behaviour<typeof logRetention> = {
  resource: logRetention,
  show: (context) => loadLogRetention(context.services.database, context),
  async edit(tx, context, { logDays }, ifMatch) {
    const { services, spaceId } = context;
    const before = await loadLogRetention(tx, context);
    checkMatch(ifMatch, before.version);
    const { rowCount } = await tx.query(
      `insert into greac_log_retention (space_id, log_days, updated_at) values ($1, $2, $3)
       on conflict (space_id) do update set log_days = excluded.log_days,
         version = greac_log_retention.version + 1, updated_at = excluded.updated_at
       where greac_log_retention.version = $4::bigint`,
      [spaceId, logDays, isoTime(services.clock.now()), before.version],
    );
    if (rowCount === 0) throw new Problem('changed');
    return {
      before: before.item,
      after: await loadLogRetention(tx, context),
      onCommitted: () => announce(context, logRetention, spaceId, 'update'),
    };
  },
};

async function loadLogRetention(db: Queryable, { spaceId }: RequestContext): Promise<StoredItem> {
  const { rows } = await db.query<Record<string, unknown> & { version: string }>(
    `select log_days as "logDays", last_run_at as "lastRunAt", removed_sessions::float8 as "removedSessions",
       version::text as version, updated_at as "updatedAt"
     from greac_log_retention where space_id = $1`,
    [spaceId],
  );
  const { version, ...item } = rows[0] ?? {
    ...{ version: '0', logDays: null, lastRunAt: null, removedSessions: 0, updatedAt: null },
  };
  return { item, version };
}
