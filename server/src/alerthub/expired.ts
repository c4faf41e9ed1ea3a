// What is older than a space keeps it, and is not waited for by anything: found and removed in one statement each.
import type { Transaction } from '../db/database.ts';

/** In the order of removal: what tells of others goes before them. */
export const expiredKinds = ['messages', 'actionRecords', 'runbookRecords', 'events'] as const;
export type Expired = (typeof expiredKinds)[number];

/**
 * $1 space, $2 ids before, $3 time before, $4 most rows. Ids begin with their time (UUID version 7), so that the oldest
 * are found by the primary key. The last event of each severity stays: it says where the severity stands.
 */
const statements: Record<Expired, string> = {
  messages: `
    with old as (
      select m.message_id from message m
      where m.space_id = $1 and m.message_id < $2::uuid and m.received_at < $3::timestamptz
        and exists (select 1 from decision d where d.message_id = m.message_id)
        and not exists (select 1 from action_record a
          where a.message_id = m.message_id and a.status in ('waiting', 'processing'))
        and not exists (select 1 from runbook_record r where r.source_message_id = m.message_id and r.ended_at is null)
        and not exists (select 1 from waiting_trigger w where w.message_id = m.message_id)
      order by m.message_id limit $4
    ), twins as (
      delete from message_twin t using old where t.message_id = old.message_id
    ), decisions as (
      delete from decision d using old where d.message_id = old.message_id
    ), terms as (
      delete from message_search s using old where s.message_id = old.message_id
    ), gone as (
      delete from message m using old where m.message_id = old.message_id returning 1
    ) select count(*)::int as count from gone`,
  actionRecords: `
    with old as (
      select a.action_record_id from action_record a
      where a.space_id = $1 and a.action_record_id < $2::uuid and a.updated_at < $3::timestamptz
        and a.status in ('succeeded', 'failed')
        and not exists (select 1 from runbook_record r
          where r.runbook_record_id = a.runbook_record_id and r.ended_at is null)
      order by a.action_record_id limit $4
    ), gone as (
      delete from action_record a using old where a.action_record_id = old.action_record_id returning 1
    ) select count(*)::int as count from gone`,
  runbookRecords: `
    with old as (
      select r.runbook_record_id from runbook_record r
      where r.space_id = $1 and r.runbook_record_id < $2::uuid and r.ended_at < $3::timestamptz
      order by r.runbook_record_id limit $4
    ), steps as (
      delete from runbook_record_step s using old where s.runbook_record_id = old.runbook_record_id
    ), gone as (
      delete from runbook_record r using old where r.runbook_record_id = old.runbook_record_id returning 1
    ) select count(*)::int as count from gone`,
  events: `
    with old as (
      select e.event_id from event e
      where e.space_id = $1 and e.event_id < $2::uuid and e.created_at < $3::timestamptz
        and not exists (select 1 from waiting_trigger w where w.event_id = e.event_id)
        and exists (select 1 from event later where later.scope_id = e.scope_id
          and later.severity_name = e.severity_name and later.created_at > e.created_at)
      order by e.event_id limit $4
    ), gone as (
      delete from event e using old where e.event_id = old.event_id returning 1
    ) select count(*)::int as count from gone`,
};

/** Removes at most `most` rows of one kind; `until` is a time, ISO 8601. */
export async function removeExpired(
  tx: Transaction,
  kind: Expired,
  { spaceId, until, most }: { spaceId: string; until: string; most: number },
): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(statements[kind], [
    spaceId,
    firstIdOf(until),
    until,
    most,
  ]);
  return rows[0]!.count;
}

/** The least id that is made at that time. */
function firstIdOf(time: string): string {
  const stamp = Date.parse(time).toString(16).padStart(12, '0');
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7000-8000-000000000000`;
}
