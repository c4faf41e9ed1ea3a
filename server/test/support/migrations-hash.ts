import { createHash } from 'node:crypto';
import { type Migration, migrationChecksum } from '../../src/db/migrate.ts';
import { engineVersion } from '../../src/db/pglite/template.ts';

/** Names the tables that these migrations make in the engine of this version, for what is kept between tests. */
export function migrationsHash(migrations: readonly Migration[]): string {
  const parts = [engineVersion, ...migrations.map(migrationChecksum)];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}
