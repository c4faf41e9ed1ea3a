// Migrates stored secrets and audit chains to the current encrypted form, before anything else uses the
// database.
import { sealOldChain } from '../audit/chain.ts';
import { type Clock, isoTime } from '../common/clock.ts';
import { deriveSecret } from '../common/secrets/server-secret.ts';
import { spaceSecret } from '../common/secrets/space-secret.ts';
import type { Database } from '../db/database.ts';
import { createSealing } from '../resource/sealing/sealed-fields.ts';
import { sealStoredRows } from './seal-stored-rows.ts';

/** Does nothing when already migrated; `installation` is the installation secret. */
export async function sealExistingData(
  database: Database,
  clock: Clock,
  installation: Uint8Array,
): Promise<void> {
  await sealStoredRows({ database, clock, sealing: createSealing(deriveSecret(installation)) });
  await database.transaction(async (tx) => {
    const kind = 'audit_chain';
    const { rows: done } = await tx.query('select 1 from sealed_rows where kind = $1', [kind]);
    if (done.length > 0) return;
    const { rows } = await tx.query<{ spaceId: string; host: string | null }>(
      'select space_id as "spaceId", host from space',
    );
    for (const space of rows)
      await sealOldChain(tx, deriveSecret(spaceSecret(installation, space)), space.spaceId);
    await tx.query('insert into sealed_rows (kind, sealed_at) values ($1, $2) on conflict do nothing', [
      kind,
      isoTime(clock.now()),
    ]);
  });
}
