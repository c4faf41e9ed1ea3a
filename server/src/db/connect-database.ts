// Opens the configured database, for the server and its commands.
import { resolve } from 'node:path';
import type { Database } from './database.ts';
import { migrations } from './migrations/all.ts';
import { openDatabase } from './open-database.ts';
import type { StoreLog } from './store-log.ts';

interface DatabaseLocation {
  databaseUrl: string | undefined;
  /** Holds the embedded database, used when there is no URL. */
  dataFolder: string;
}

/**
 * Runs pending migrations. Throws with a user-readable reason, or FolderBusy while a server holds the data
 * folder.
 */
export function connectDatabase(
  { databaseUrl, dataFolder }: DatabaseLocation,
  log: StoreLog,
): Promise<Database> {
  return openDatabase({
    folder: databaseUrl ? undefined : resolve(dataFolder),
    databaseUrl,
    migrations,
    log,
  });
}
