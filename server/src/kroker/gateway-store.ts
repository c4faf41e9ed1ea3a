// Rows of connected gateways: one per Kroker, whichever replica holds the connection.
import { isoTime } from '../common/clock.ts';
import { sha256 } from '../common/secrets/server-secret.ts';
import type { Queryable, Transaction } from '../db/database.ts';

export interface KrokerToken {
  krokerId: string;
  displayName: string;
  tokenHash: Buffer;
}

export async function findKrokerToken(
  db: Queryable,
  spaceId: string,
  token: string,
): Promise<KrokerToken | undefined> {
  const { rows } = await db.query<KrokerToken>(
    `select s.kroker_id as "krokerId", r.body->>'displayName' as "displayName", s.token_hash as "tokenHash"
     from kroker_state s join resource r on r.space_id = s.space_id and r.kind = 'kroker' and r.id = s.kroker_id
     where s.space_id = $1 and s.token_hash = $2`,
    [spaceId, sha256(token)],
  );
  return rows[0];
}

/** Those of these connections that were made with a token that their Kroker still has. */
export async function findValidConnections<T extends Pick<KrokerToken, 'krokerId' | 'tokenHash'>>(
  db: Queryable,
  connections: readonly T[],
): Promise<Set<T>> {
  const { rows } = await db.query<{ id: string; tokenHash: Buffer | null }>(
    'select kroker_id as id, token_hash as "tokenHash" from kroker_state where kroker_id = any($1::uuid[])',
    [connections.map(({ krokerId }) => krokerId)],
  );
  const hashes = new Map(rows.map(({ id, tokenHash }) => [id, tokenHash]));
  return new Set(
    connections.filter(({ krokerId, tokenHash }) => {
      const current = hashes.get(krokerId);
      return current && Buffer.compare(current, tokenHash) === 0;
    }),
  );
}

export interface GatewayRow {
  krokerId: string;
  spaceId: string;
  connectionId: string;
}

/** Stores a new connection in place of the gateway's previous one. */
export async function storeGateway(
  db: Queryable,
  { krokerId, spaceId, connectionId }: GatewayRow,
  { instance, replicaUrl, now }: { instance: string; replicaUrl: string | null; now: number },
): Promise<void> {
  await db.query(
    `insert into kroker_connection (kroker_id, space_id, instance, connection_id, replica_url, connected_at, seen_at)
     values ($1, $2, $3, $4, $6, $5, $5)
     on conflict (kroker_id) do update set instance = excluded.instance, connection_id = excluded.connection_id,
       replica_url = excluded.replica_url,
       connected_at = excluded.connected_at, seen_at = excluded.seen_at`,
    [krokerId, spaceId, instance, connectionId, isoTime(now), replicaUrl],
  );
}

/** Stores what the gateway says about itself; returns whether its signing key was another one before. */
export async function storeGatewayHello(
  tx: Transaction,
  krokerId: string,
  { version, signingKey }: { version: string; signingKey: string },
  now: number,
): Promise<boolean> {
  const { rows } = await tx.query<{ before: string | null }>(
    'select signing_key as before from kroker_state where kroker_id = $1 for update',
    [krokerId],
  );
  await tx.query(
    `update kroker_state set gateway_version = $2, signing_key = $3, last_connected_at = $4 where kroker_id = $1`,
    [krokerId, version.replaceAll('\0', ''), signingKey, isoTime(now)],
  );
  const before = rows[0]?.before ?? null;
  return before !== null && before !== signingKey;
}

export async function refreshGateways(
  db: Queryable,
  connectionIds: readonly string[],
  now: number,
): Promise<void> {
  if (connectionIds.length === 0) return;
  await db.query(
    `with alive as (
       update kroker_connection set seen_at = $2 where connection_id = any($1::uuid[]) returning kroker_id)
     update kroker_state set last_connected_at = $2 where kroker_id in (select kroker_id from alive)`,
    [connectionIds, isoTime(now)],
  );
}

export async function removeGateway(db: Queryable, connectionId: string): Promise<void> {
  await db.query('delete from kroker_connection where connection_id = $1', [connectionId]);
}
