// Advisory locks for work that one replica at a time does.
import type { Database, Transaction } from '../db/database.ts';

/**
 * Tries to acquire the lock until the end of the transaction; false if another replica holds it. `seed`
 * identifies the kind of work, `key` its subject. Always true on the embedded engine, which has no replicas.
 */
export async function tryAdvisoryLock(
  { kind }: Pick<Database, 'kind'>,
  tx: Transaction,
  seed: string,
  key = '',
): Promise<boolean> {
  if (kind === 'embedded') return true;
  const { rows } = await tx.query<{ mine: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended($1, ${seed})) as mine`,
    [key],
  );
  return rows[0]!.mine;
}
