// Retention settings of a space; `Retention` removes the expired data.
import { retentionSettings } from '@yagura/core/alerthub/retention-settings';
import { Problem } from '@yagura/core/http/problem';
import { isoTime } from '../../common/clock.ts';
import type { Queryable } from '../../db/database.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { announce, checkMatch } from '../../resource/item-operations.ts';
import type { StoredItem } from '../../resource/item-store.ts';
import type { RequestContext } from '../../resource/request-context.ts';

export const retentionBehaviour: Behaviour<typeof retentionSettings> = {
  resource: retentionSettings,
  show: (context) => loadRetention(context.services.database, context),
  async edit(tx, context, input, ifMatch) {
    const { messageDays, historyDays } = input;
    const { services, spaceId } = context;
    const before = await loadRetention(tx, context);
    checkMatch(ifMatch, before.version);
    const { rowCount } = await tx.query(
      `insert into retention (space_id, message_days, history_days, updated_at) values ($1, $2, $3, $4)
       on conflict (space_id) do update set message_days = excluded.message_days, history_days = excluded.history_days,
         version = retention.version + 1, updated_at = excluded.updated_at
       where retention.version = $5::bigint`,
      [spaceId, messageDays, historyDays, isoTime(services.clock.now()), before.version],
    );
    if (rowCount === 0) throw new Problem('changed');
    return {
      before: before.item,
      after: await loadRetention(tx, context),
      onCommitted: () => announce(context, retentionSettings, spaceId, 'update'),
    };
  },
};

async function loadRetention(db: Queryable, { spaceId }: RequestContext): Promise<StoredItem> {
  const { rows } = await db.query<Record<string, unknown> & { version: string }>(
    `select message_days as "messageDays", history_days as "historyDays", last_run_at as "lastRunAt",
       removed_messages::float8 as "removedMessages", removed_events::float8 as "removedEvents",
       removed_records::float8 as "removedRecords", version::text as version, updated_at as "updatedAt"
     from retention where space_id = $1`,
    [spaceId],
  );
  const { version, ...item } = rows[0] ?? {
    version: '0',
    messageDays: null,
    historyDays: null,
    lastRunAt: null,
    removedMessages: 0,
    removedEvents: 0,
    removedRecords: 0,
    updatedAt: null,
  };
  return { item, version };
}
