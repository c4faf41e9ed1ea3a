// Reads and writes the row with the start and end of a space's audit chain, sealed by a keyed hash.

import type { ServerSecret } from '../common/secrets/server-secret.ts';
import type { Queryable } from '../db/database.ts';

export interface AuditChain {
  lastNumber: bigint;
  lastHash: Buffer;
  /** Newest record deleted by retention, and its hash. */
  keptAfter: bigint;
  keptHash: Buffer;
  seal: Buffer | null;
}

type KeyedHash = Pick<ServerSecret, 'keyedHash'>;

export const genesisHash = Buffer.alloc(32);
/**
 * Replaces the seal of a chain that was modified elsewhere. It never verifies, so that the next record does
 * not repair the chain.
 */
const brokenSeal = Buffer.alloc(32);

const selectChain = `select last_number::text as "lastNumber", last_hash as "lastHash", kept_after::text as "keptAfter",
  kept_hash as "keptHash", seal from audit_chain where space_id = $1`;

/** Returns null when the space has no chain yet. `locked` selects the row for update. */
export async function readChain(
  db: Queryable,
  spaceId: string,
  { locked }: { locked: boolean },
): Promise<AuditChain | null> {
  const { rows } = await db.query<
    Record<'lastNumber' | 'keptAfter', string> & Omit<AuditChain, 'lastNumber' | 'keptAfter'>
  >(
    {
      name: locked ? 'audit_chain_lock' : 'audit_chain_read',
      text: `${selectChain}${locked ? ' for update' : ''}`,
    },
    [spaceId],
  );
  const [row] = rows;
  return row ? { ...row, lastNumber: BigInt(row.lastNumber), keptAfter: BigInt(row.keptAfter) } : null;
}

function computeSeal(secret: KeyedHash, spaceId: string, chain: Omit<AuditChain, 'seal'>): Buffer {
  const { lastNumber, lastHash, keptAfter, keptHash } = chain;
  const kept = lastNumber - keptAfter;
  return secret.keyedHash(
    `audit chain ${spaceId} ${lastNumber} ${lastHash.toString('hex')} ${keptAfter} ${keptHash.toString('hex')} ${kept}`,
  );
}

/** Whether the row is as this server last wrote it. */
export function isSealed(secret: KeyedHash, spaceId: string, chain: AuditChain): boolean {
  return chain.seal?.equals(computeSeal(secret, spaceId, chain)) ?? false;
}

/** Updates the chain row. A chain that was already tampered with stays broken for every reader. */
export async function writeChain(
  db: Queryable,
  secret: KeyedHash,
  spaceId: string,
  before: AuditChain,
  change: Partial<Omit<AuditChain, 'seal'>>,
): Promise<void> {
  const after = { ...before, ...change };
  const seal = isSealed(secret, spaceId, before) ? computeSeal(secret, spaceId, after) : brokenSeal;
  await db.query(
    {
      name: 'audit_chain_update',
      text: 'update audit_chain set last_number = $2, last_hash = $3, kept_after = $4, kept_hash = $5, seal = $6 where space_id = $1',
    },
    [spaceId, String(after.lastNumber), after.lastHash, String(after.keptAfter), after.keptHash, seal],
  );
}

/** Locks the chain row, creating it when the space has none. */
export async function lockChain(db: Queryable, secret: KeyedHash, spaceId: string): Promise<AuditChain> {
  const found = await readChain(db, spaceId, { locked: true });
  if (found) return found;
  const empty = { lastNumber: 0n, lastHash: genesisHash, keptAfter: 0n, keptHash: genesisHash };
  await db.query(
    `insert into audit_chain (space_id, last_number, last_hash, kept_after, kept_hash, seal) values ($1, 0, $2, 0, $2, $3)
     on conflict do nothing`,
    [spaceId, genesisHash, computeSeal(secret, spaceId, empty)],
  );
  return (await readChain(db, spaceId, { locked: true }))!;
}

/**
 * Seals a chain created before seals existed. Runs once, so that a removed seal is not restored by a restart.
 */
export async function sealOldChain(db: Queryable, secret: KeyedHash, spaceId: string): Promise<void> {
  const chain = await readChain(db, spaceId, { locked: true });
  if (chain && chain.seal === null)
    await db.query('update audit_chain set seal = $2 where space_id = $1', [
      spaceId,
      computeSeal(secret, spaceId, chain),
    ]);
}
