// Rows of connected agents: one per slot, whichever replica holds the connection.
import type { AgentCapability, AgentMessage, AgentProtocol } from '@yagura/core/ksocket/agent-protocol';
import { isoTime } from '../common/clock.ts';
import type { Queryable } from '../db/database.ts';
import { heartbeatTimeoutSeconds } from './heartbeat.ts';

export interface ConnectionRow {
  ksocketSlotId: string;
  spaceId: string;
  ksocketTokenId: string;
  connectionId: string;
}

export interface TokenRow {
  ksocket_token_id: string;
  space_id: string;
  ksocket_slot_id: string;
  expires_at: string | null;
}

/**
 * Milliseconds within which two running agents of a slot are replaced if both keep connecting: each waits for up to 30 s.
 * A single one is replaced when an agent is moved to another machine before the old one is stopped.
 */
const conflictMs = 2 * 60_000;
/** How long a conflict is shown after the last replacement. */
export const conflictShownSeconds = 5 * 60;

/** In seconds; the column is an integer. */
const maxClockOffset = 2_000_000_000;

const heardSince = (now: number) => isoTime(now - heartbeatTimeoutSeconds * 1000);

/** The valid token with this hash, now marked as used. */
export async function findToken(
  db: Queryable,
  spaceId: string,
  hash: Buffer,
  now: number,
): Promise<TokenRow | undefined> {
  const { rows } = await db.query<TokenRow>(
    `update ksocket_token set last_used_at = $2 where space_id = $3 and token_hash = $1
       and (expires_at is null or expires_at > $2)
     returning ksocket_token_id, space_id, ksocket_slot_id, expires_at`,
    [hash, isoTime(now), spaceId],
  );
  return rows[0];
}

/** Stores a new connection in place of the slot's previous one. */
export async function storeConnection(
  db: Queryable,
  { ksocketSlotId, spaceId, ksocketTokenId, connectionId }: ConnectionRow,
  { instance, now }: { instance: string; now: number },
): Promise<void> {
  await db.query(
    `insert into ksocket_connection (ksocket_slot_id, space_id, ksocket_token_id, instance, connection_id, connected_at, seen_at)
     values ($1, $2, $3, $4, $5, $6, $6)
     on conflict (ksocket_slot_id) do update set ksocket_token_id = excluded.ksocket_token_id, instance = excluded.instance,
       connection_id = excluded.connection_id, connected_at = excluded.connected_at, seen_at = excluded.seen_at,
       agent_version = null, protocol = 1, capabilities = '[]', clock_offset = null`,
    [ksocketSlotId, spaceId, ksocketTokenId, instance, connectionId, isoTime(now)],
  );
}

/** Stores what the agent tells about itself. */
export async function storeHello(
  db: Queryable,
  connectionId: string,
  hello: Extract<AgentMessage, { type: 'hello' }>,
  { protocol, now }: { protocol: AgentProtocol; now: number },
): Promise<void> {
  const offset = hello.clock === undefined ? null : Math.round((Date.parse(hello.clock) - now) / 1000);
  await db.query(
    `update ksocket_connection set agent_version = $2, protocol = $3, capabilities = $4, clock_offset = $5
     where connection_id = $1`,
    [
      connectionId,
      hello.version.replaceAll('\0', ''),
      protocol,
      JSON.stringify([...new Set(hello.capabilities)].sort()),
      offset === null ? null : Math.max(-maxClockOffset, Math.min(maxClockOffset, offset)),
    ],
  );
}

export async function refreshConnections(
  db: Queryable,
  connectionIds: readonly string[],
  now: number,
): Promise<void> {
  if (connectionIds.length === 0) return;
  await db.query('update ksocket_connection set seen_at = $2 where connection_id = any($1::uuid[])', [
    connectionIds,
    isoTime(now),
  ]);
}

/** Notes that a running agent of the slot was replaced by another. */
export async function storeReplacement(
  db: Queryable,
  ksocketSlotId: string,
  address: string,
  now: number,
): Promise<void> {
  await db.query(
    `update ksocket_connection set replaced_at = $3, replaced_address = $2,
       conflict_at = case when replaced_at > $4 then $3 else conflict_at end
     where ksocket_slot_id = $1`,
    [ksocketSlotId, address, isoTime(now), isoTime(now - conflictMs)],
  );
}

export async function removeConnection(db: Queryable, connectionId: string): Promise<void> {
  await db.query('delete from ksocket_connection where connection_id = $1', [connectionId]);
}

export async function hasConnection(db: Queryable, ksocketSlotId: string, now: number): Promise<boolean> {
  const { rows } = await db.query(
    'select 1 from ksocket_connection where ksocket_slot_id = $1 and seen_at > $2',
    [ksocketSlotId, heardSince(now)],
  );
  return rows.length > 0;
}

/** Whether the connected agent of the slot can do this; null if none is connected. */
export async function hasCapability(
  db: Queryable,
  ksocketSlotId: string,
  capability: AgentCapability,
  now: number,
): Promise<boolean | null> {
  const { rows } = await db.query<{ capable: boolean }>(
    `select protocol >= 2 and capabilities ? $3 as capable from ksocket_connection
     where ksocket_slot_id = $1 and seen_at > $2`,
    [ksocketSlotId, heardSince(now), capability],
  );
  return rows[0]?.capable ?? null;
}
