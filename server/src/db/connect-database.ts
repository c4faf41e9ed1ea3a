// Opens the configured database, for the server and its commands.
import { resolve } from 'node:path';
import type { Log } from '../common/log.ts';
import type { Config } from '../config/config.ts';
import type { Database } from './database.ts';
import { migrations } from './migrations/all.ts';
import { openDatabase } from './open-database.ts';

/**
 * Runs pending migrations. Throws with a user-readable reason, or FolderBusy while a server holds the data
 * folder.
 */
export function connectDatabase(
  { databaseUrl, dataFolder }: Pick<Config, 'databaseUrl' | 'dataFolder'>,
  log: Log,
): Promise<Database> {
  return openDatabase({
    folder: databaseUrl ? undefined : resolve(dataFolder),
    databaseUrl,
    migrations,
    log: (line) => log(line as Parameters<Log>[0]),
  });
}
