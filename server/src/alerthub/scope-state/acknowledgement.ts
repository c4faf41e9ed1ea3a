// Acknowledgements of a scope and its events: who takes care of a status, until it gets worse or returns to normal.
import type { EventAcknowledgement } from '@yagura/core/alerthub/event';
import type { Queryable } from '../../db/database.ts';
import { toStoreJson } from '../../db/store-json.ts';

const acknowledgementColumns = ['acknowledged_at', 'acknowledged_by', 'acknowledgement_note'];

/**
 * Assignments of an upsert into `scope_state` whose row has the new status, and the time in `raised_at` if that status
 * is worse than before.
 */
export const raisedAssignments = [
  `raised_at = case when excluded.status <> 'normal' then coalesce(excluded.raised_at, scope_state.raised_at) end`,
  ...acknowledgementColumns.map(
    (column) =>
      `${column} = case when excluded.status <> 'normal' and excluded.raised_at is null then scope_state.${column} end`,
  ),
].join(', ');

interface ScopeKey {
  spaceId: string;
  scopeId: string;
}

/**
 * Returns false if the status is normal, or got worse after `asOf` (ISO 8601; whenever if null). To be called before
 * the event is updated: decisions lock in that order, too.
 */
export async function acknowledgeScopeState(
  tx: Queryable,
  { spaceId, scopeId }: ScopeKey,
  { acknowledgedAt, name, note }: EventAcknowledgement,
  asOf: string | null,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update scope_state set acknowledged_at = $3, acknowledged_by = $4, acknowledgement_note = $5
     where space_id = $1 and scope_id = $2 and status <> 'normal' and raised_at <= coalesce($6::timestamptz, 'infinity')`,
    [spaceId, scopeId, acknowledgedAt, name, note, asOf],
  );
  return rowCount > 0;
}

/** Returns whether there was an acknowledgement. */
export async function clearAcknowledgement(tx: Queryable, { spaceId, scopeId }: ScopeKey): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update scope_state set ${acknowledgementColumns.map((column) => `${column} = null`).join(', ')}
     where space_id = $1 and scope_id = $2 and acknowledged_at is not null`,
    [spaceId, scopeId],
  );
  return rowCount > 0;
}

/**
 * Acknowledges an event, and its scope unless the status got worse since. Returns the id of the scope; null if the event
 * does not exist.
 */
export async function acknowledgeEvent(
  tx: Queryable,
  { spaceId, eventId }: { spaceId: string; eventId: string },
  acknowledgement: EventAcknowledgement,
): Promise<string | null> {
  const { rows } = await tx.query<{ scope_id: string; created_at: string }>(
    'select scope_id, created_at from event where space_id = $1 and event_id = $2',
    [spaceId, eventId],
  );
  if (!rows[0]) return null;
  const { scope_id: scopeId, created_at: createdAt } = rows[0];
  await acknowledgeScopeState(tx, { spaceId, scopeId }, acknowledgement, createdAt);
  await addToEvent(tx, eventId, acknowledgement);
  return scopeId;
}

/** Returns the scope's latest event, to which the acknowledgement was added; null if it has none. */
export async function acknowledgeLatestEvent(
  tx: Queryable,
  { spaceId, scopeId }: ScopeKey,
  acknowledgement: EventAcknowledgement,
): Promise<string | null> {
  const { rows } = await tx.query<{ event_id: string }>(
    `select event_id from event where space_id = $1 and scope_id = $2 order by created_at desc, event_id desc limit 1`,
    [spaceId, scopeId],
  );
  const eventId = rows[0]?.event_id ?? null;
  if (eventId !== null) await addToEvent(tx, eventId, acknowledgement);
  return eventId;
}

async function addToEvent(
  tx: Queryable,
  eventId: string,
  acknowledgement: EventAcknowledgement,
): Promise<void> {
  await tx.query(`update event set acknowledgements = acknowledgements || $2::jsonb where event_id = $1`, [
    eventId,
    toStoreJson([acknowledgement]),
  ]);
}
