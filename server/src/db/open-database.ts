/** Opens the database: the embedded engine in a data folder, or a PostgreSQL server. */
import { systemClock } from './clock.ts';
import type { Database, OpenOptions, StoreOptions } from './database.ts';
import { openEmbedded } from './pglite/open-embedded.ts';
import { openPostgresql } from './postgresql/open-postgresql.ts';

/**
 * Opens the database and runs pending migrations. Throws an error with a user-readable reason on failure.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const settings: StoreOptions = {
    migrations: options.migrations,
    log: options.log ?? (() => {}),
    clock: options.clock ?? systemClock,
    connections: options.connections ?? 10,
    statementTimeoutMs: options.statementTimeoutMs ?? 30_000,
    transactionTimeoutMs: options.transactionTimeoutMs ?? 60_000,
    connectTimeoutMs: options.connectTimeoutMs ?? 30_000,
    refuseNestedCalls: options.refuseNestedCalls ?? true,
    signal: options.signal ?? new AbortController().signal,
  };
  if (options.databaseUrl) return openPostgresql(options.databaseUrl, settings);
  if (options.folder) return openEmbedded(options.folder, options.templateFile, settings);
  throw new Error('Storage needs a data folder or a database URL');
}
