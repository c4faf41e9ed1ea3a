/** Opens storage: the embedded engine in a data folder, or a PostgreSQL server. */
import { systemClock } from './clock.ts';
import type { Database, OpenOptions, StoreOptions } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { openPostgresql } from './postgresql.ts';

/** Opens the store and brings its tables up to date. Throws with a reason for people when it cannot. */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const settings: StoreOptions = {
    migrations: options.migrations,
    log: options.log ?? (() => {}),
    clock: options.clock ?? systemClock,
    connections: options.connections ?? 10,
    statementTimeout: options.statementTimeout ?? 30_000,
    transactionTimeout: options.transactionTimeout ?? 60_000,
    connectWithin: options.connectWithin ?? 30_000,
  };
  if (options.databaseUrl) return openPostgresql(options.databaseUrl, settings);
  if (options.folder) return openEmbedded(options.folder, options.templateFile, settings);
  throw new Error('Storage needs a data folder or a database URL');
}
