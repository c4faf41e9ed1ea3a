// Stores what gateways report of their sessions: connected, failed, ended, or lost.
import { destination } from '@yagura/core/greac/destination';
import { hostKey } from '@yagura/core/greac/host-key';
import { session } from '@yagura/core/greac/session';
import type { GatewayHello, GatewayReport } from '@yagura/core/greac/stream/gateway-protocol';
import { type Clock, isoTime } from '../../common/clock.ts';
import type { NextId } from '../../common/id.ts';
import type { ChangePublisher } from '../../db/change-bus.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { toStoreJson } from '../../db/store-json.ts';
import { keepItem, uniqueKey } from '../../resource/item-store.ts';
import { type CloseReason, closeSession } from '../session-store.ts';
import type { GatewayLink } from './gateway-link.ts';

export interface ReportDeps {
  database: Database;
  clock: Clock;
  nextId: NextId;
  changes: ChangePublisher;
}

type Owner = Pick<GatewayLink, 'spaceId' | 'krokerId'>;

/** Locks an opened session of the gateway; undefined if it has none with this id. */
async function lockOpened(tx: Transaction, { spaceId, krokerId }: Owner, sessionId: string) {
  const { rows } = await tx.query<{ destinationId: string; host: string; port: number }>(
    `select destination_id as "destinationId", host, port from greac_session
     where space_id = $1 and kroker_id = $2 and session_id = $3 and status = 'opened' for update`,
    [spaceId, krokerId, sessionId],
  );
  return rows[0];
}

export async function storeOpened(
  deps: ReportDeps,
  owner: Owner,
  report: GatewayReport<'opened'>,
): Promise<void> {
  const { database, clock } = deps;
  const { sessionId, hostKey: fingerprint } = report;
  const now = isoTime(clock.now());
  const isStored = await database.transaction(async (tx) => {
    const found = await lockOpened(tx, owner, sessionId);
    if (!found) return false;
    await tx.query(
      `update greac_session set connected_at = coalesce(connected_at, $2), host_key = coalesce($3, host_key),
         updated_at = $2, version = version + 1 where session_id = $1`,
      [sessionId, now, fingerprint ?? null],
    );
    if (fingerprint !== undefined) await insertPin(tx, deps, owner.spaceId, { ...found, fingerprint });
    return true;
  });
  if (isStored) announceSession(deps, owner.spaceId, sessionId);
}

/** Keeps a host key that was accepted; the gateway refuses others from the next session on. */
async function insertPin(
  tx: Transaction,
  { nextId, clock, changes }: ReportDeps,
  spaceId: string,
  pin: { destinationId: string; host: string; port: number; fingerprint: string },
): Promise<void> {
  const { destinationId, ...body } = pin;
  if (!(await keepItem(tx, spaceId, destination, destinationId))) return;
  const id = nextId();
  const now = isoTime(clock.now());
  const { rowCount } = await tx.query(
    `insert into resource (space_id, kind, id, parent_id, unique_key, body, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict do nothing`,
    [spaceId, hostKey.name, id, destinationId, uniqueKey(hostKey, body), toStoreJson(body), now],
  );
  if (rowCount > 0)
    changes.publish([{ spaceId, resource: hostKey.name, id, scope: destinationId, op: 'create', at: now }]);
}

export async function storeEnded(
  deps: ReportDeps,
  owner: Owner,
  sessionId: string,
  reason: CloseReason,
  failure: Pick<GatewayReport<'failed'>, 'code' | 'params'> | null = null,
): Promise<void> {
  const now = isoTime(deps.clock.now());
  const isClosed = await deps.database.transaction(async (tx) => {
    if (!(await lockOpened(tx, owner, sessionId))) return false;
    return closeSession(tx, sessionId, reason, now, failure);
  });
  if (isClosed) announceSession(deps, owner.spaceId, sessionId);
}

/**
 * Compares the sessions that a gateway holds with the stored ones. Closes those that it does not hold any more, and
 * returns those of its own that are still open.
 */
export async function reconcileSessions(
  deps: ReportDeps,
  owner: Owner,
  held: GatewayHello['sessions'],
): Promise<Set<string>> {
  const { rows } = await deps.database.query<{ id: string; isConnected: boolean }>(
    `select session_id as id, connected_at is not null as "isConnected" from greac_session
     where space_id = $1 and kroker_id = $2 and status = 'opened'`,
    [owner.spaceId, owner.krokerId],
  );
  const states = new Map(held.map(({ sessionId, state }) => [sessionId, state]));
  const kept = new Set<string>();
  for (const { id, isConnected } of rows) {
    const state = states.get(id);
    if (!state) await storeEnded(deps, owner, id, 'disconnected');
    else {
      kept.add(id);
      if (state === 'connected' && !isConnected)
        await storeOpened(deps, owner, { type: 'opened', sessionId: id });
    }
  }
  return kept;
}

/** Tells those who watch it that a session has changed. */
export function announceSession(
  { changes, clock }: Pick<ReportDeps, 'changes' | 'clock'>,
  spaceId: string,
  id: string,
): void {
  changes.publish([{ spaceId, resource: session.name, id, op: 'update', at: isoTime(clock.now()) }]);
}
