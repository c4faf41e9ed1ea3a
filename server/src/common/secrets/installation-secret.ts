// Loads the installation secret, from which all keys are derived.
import { createHash, randomBytes } from 'node:crypto';
import type { Queryable } from '../../db/database.ts';

/** Returns the configured secret, or the one generated at the first start and stored for all replicas. */
export async function installationSecret(
  config: { secret: string | undefined },
  database: Queryable,
): Promise<Buffer> {
  if (config.secret) return createHash('sha256').update(config.secret).digest();
  const { rows } = await database.query<{ value: Buffer }>(
    `insert into server_secret (name, value) values ('installation', $1)
     on conflict (name) do update set name = excluded.name returning value`,
    [randomBytes(32)],
  );
  return rows[0]!.value;
}
