// Opens the configured database, for the server and its commands.
import { resolve } from 'node:path';
import { systemClock } from './clock.ts';
import type { Database, OpenOptions } from './database.ts';
import { migrations } from './migrations/all.ts';
import { openDatabase } from './open-database.ts';
import { lockDataFolder } from './pglite/data-folder.ts';
import type { StoreLog } from './store-log.ts';

interface DatabaseLocation {
  databaseUrl: string | undefined;
  /** See OpenOptions.connections. */
  databaseConnections: number;
  /** Holds the embedded database, used when there is no URL. */
  dataFolder: string;
}

type ConnectOptions = Pick<OpenOptions, 'refuseNestedCalls' | 'signal'>;

/**
 * Runs pending migrations. Throws with a user-readable reason, or FolderBusy while a server holds the data
 * folder.
 */
export function connectDatabase(
  { databaseUrl, databaseConnections, dataFolder }: DatabaseLocation,
  log: StoreLog,
  options: ConnectOptions = {},
): Promise<Database> {
  return openDatabase({
    ...options,
    folder: databaseUrl ? undefined : resolve(dataFolder),
    databaseUrl,
    connections: databaseConnections,
    migrations,
    log,
  });
}

/** Opens the database of a server, which also uses the intake journal where one is configured. */
export function connectForServer(
  config: DatabaseLocation & { intake: { journal: boolean } },
  log: StoreLog,
  options: ConnectOptions = {},
): Promise<Database> {
  const connect = config.intake.journal ? connectWithJournal : connectDatabase;
  return connect(config, log, options);
}

/** The same for a process that also uses the intake journal: it holds the data folder with PostgreSQL as well. */
export async function connectWithJournal(
  location: DatabaseLocation,
  log: StoreLog,
  options: ConnectOptions = {},
): Promise<Database> {
  if (!location.databaseUrl) return connectDatabase(location, log, options);
  const lock = await lockDataFolder(resolve(location.dataFolder), systemClock);
  try {
    const database = await connectDatabase(location, log, options);
    return {
      ...database,
      lost: lock.lost,
      close: () => database.close().finally(() => lock.release()),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
