// Work that one replica at a time does.
import type { Database, Transaction } from '../db/database.ts';

/**
 * Whether it is this replica's turn until the transaction ends: false while another one is at it. `seed` tells kinds of work
 * apart, `key` what is worked on. The embedded engine has no replicas.
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
