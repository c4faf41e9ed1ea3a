// Finds and removes rows past the retention of their space that no pending work refers to, with one statement
// each.
import type { Queryable, Transaction } from '../../db/database.ts';

/** In order of removal: records go before the rows they describe. */
export const expiredKinds = ['messages', 'actionRecords', 'runbookRecords', 'events'] as const;
export type ExpiredKind = (typeof expiredKinds)[number];

/** Maximum bytes of messages that one statement removes, unless the first alone has more: it keeps others waiting. */
const maxMessageBytes = 8 << 20;

/**
 * Whether an event is not the last one of its severity. The time of the last one is known from the severity while that
 * exists. Scalar queries, because the planner would join `exists` with all events for each batch.
 */
const hasLaterEvent = `coalesce(
      (select e.created_at < s.updated_at from severity s
        where s.scope_id = e.scope_id and s.name = e.severity_name and s.updated_at >= e.created_at),
      (select true from event later where later.scope_id = e.scope_id and later.severity_name = e.severity_name
        and later.created_at > e.created_at order by later.created_at limit 1))`;

/** Find the first such row by its first column, with the parameters of `statements`. */
const selectStatements: Record<ExpiredKind, string> = {
  messages: `select m.message_id, m.size from message m
where m.space_id = $1 and m.message_id < $2::uuid and m.received_at < $3::timestamptz
    and exists (select 1 from decision d where d.message_id = m.message_id)
    and not exists (select 1 from action_record a
      where a.message_id = m.message_id and a.status in ('waiting', 'processing'))
    and not exists (select 1 from runbook_record r where r.source_message_id = m.message_id and r.ended_at is null)
    and not exists (select 1 from waiting_trigger w where w.message_id = m.message_id)
    and m.message_id <> all($5::uuid[])
order by m.message_id limit $4`,
  actionRecords: `select a.action_record_id from action_record a
where a.space_id = $1 and a.action_record_id < $2::uuid and a.updated_at < $3::timestamptz
    and a.status in ('succeeded', 'failed')
    and not exists (select 1 from runbook_record r
      where r.runbook_record_id = a.runbook_record_id and r.ended_at is null)
    and a.action_record_id <> all($5::uuid[])
order by a.action_record_id limit $4`,
  runbookRecords: `select r.runbook_record_id from runbook_record r
where r.space_id = $1 and r.runbook_record_id < $2::uuid and r.ended_at < $3::timestamptz
    and r.runbook_record_id <> all($5::uuid[])
order by r.runbook_record_id limit $4`,
  events: `select e.event_id from event e
where e.space_id = $1 and e.event_id < $2::uuid and e.created_at < $3::timestamptz
    and not exists (select 1 from waiting_trigger w where w.event_id = e.event_id)
    and ${hasLaterEvent}
    and e.event_id <> all($5::uuid[])
order by e.event_id limit $4`,
};

/**
 * $1 space, $2 upper bound of ids, $3 upper bound of time, $4 maximum rows, $5 ids to skip. Ids begin with a
 * timestamp (UUID version 7), so that the oldest are found by primary key. The last event of each severity is
 * kept: it holds the current severity.
 */
const deleteStatements: Record<ExpiredKind, string> = {
  messages: `
    with old as (
      select e.message_id from (
        select x.message_id, sum(x.size) over (order by x.message_id) - x.size as before
        from (${selectStatements.messages}) x
      ) e where e.before < ${maxMessageBytes}
    ), repeats as (
      delete from message_repeat t using old where t.message_id = old.message_id
    ), decisions as (
      delete from decision d using old where d.message_id = old.message_id
    ), parts as (
      delete from message_body_part b using old where b.message_id = old.message_id
    ), terms as (
      delete from message_search s using old where s.message_id = old.message_id
    ), gone as (
      delete from message m using old where m.message_id = old.message_id returning 1
    ) select count(*)::int as count from gone`,
  actionRecords: `
    with old as (
      ${selectStatements.actionRecords}
    ), gone as (
      delete from action_record a using old where a.action_record_id = old.action_record_id returning 1
    ) select count(*)::int as count from gone`,
  runbookRecords: `
    with old as (
      ${selectStatements.runbookRecords}
    ), steps as (
      delete from runbook_record_step s using old where s.runbook_record_id = old.runbook_record_id
    ), gone as (
      delete from runbook_record r using old where r.runbook_record_id = old.runbook_record_id returning 1
    ) select count(*)::int as count from gone`,
  events: `
    with old as (
      ${selectStatements.events}
    ), gone as (
      delete from event e using old where e.event_id = old.event_id returning 1
    ) select count(*)::int as count from gone`,
};

/** Removes at most `limit` rows of one kind, none if there are no more; `until` is an ISO 8601 time. */
export async function removeExpired(
  tx: Transaction,
  kind: ExpiredKind,
  { spaceId, until, limit, excludedIds }: ExpiredRange,
): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(deleteStatements[kind], [
    spaceId,
    minIdAt(until),
    until,
    limit,
    excludedIds,
  ]);
  return rows[0]!.count;
}

interface ExpiredRange {
  spaceId: string;
  until: string;
  limit: number;
  /** Ids of rows that could not be removed. */
  excludedIds: readonly string[];
}

/** Returns the id of the first expired row of one kind. */
export async function findFirstExpired(
  db: Queryable,
  kind: ExpiredKind,
  { spaceId, until, excludedIds }: Omit<ExpiredRange, 'limit'>,
): Promise<string | undefined> {
  const { rows } = await db.query<Record<string, string>>(selectStatements[kind], [
    spaceId,
    minIdAt(until),
    until,
    1,
    excludedIds,
  ]);
  return rows[0] && Object.values(rows[0])[0];
}

/** Returns the lowest id that can be generated at that time. */
function minIdAt(time: string): string {
  const stamp = Date.parse(time).toString(16).padStart(12, '0');
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7000-8000-000000000000`;
}
