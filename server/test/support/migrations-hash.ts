import { createHash } from 'node:crypto';
import { type Migration, migrationChecksum } from '../../src/db/migrate.ts';
import { engineVersion } from '../../src/db/pglite/template.ts';

/** Cache key of the tables created by these migrations with this engine version. */
export function migrationsHash(migrations: readonly Migration[]): string {
  const parts = [engineVersion, ...migrations.map(migrationChecksum)];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}
