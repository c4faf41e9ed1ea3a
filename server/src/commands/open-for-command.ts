// Opens the database for CLI commands, with advice when a running server holds it.
import { join, resolve } from 'node:path';
import { CommandRefused } from '../common/command-refused.ts';
import type { Log } from '../common/log.ts';
import { refuseForeignOwner } from '../common/refuse-foreign-owner.ts';
import type { Config } from '../config/config.ts';
import { connectDatabase } from '../db/connect-database.ts';
import type { Database, Transaction } from '../db/database.ts';
import { dataFolderParts, hasDatabase } from '../db/pglite/data-folder.ts';
import { FolderBusy } from '../db/pglite/folder-lock.ts';

/**
 * Throws CommandRefused when the embedded database is in use, since only one process can open it, and when there is none:
 * only a server begins one.
 */
export async function openForCommand(config: Config, log: Log): Promise<Database> {
  const folder = resolve(config.dataFolder);
  if (!config.databaseUrl && !hasDatabase(folder))
    throw new CommandRefused(
      `There is no database in the folder ${folder}. Give the data folder of the server (--data or YAGURA_DATA), or set its DATABASE_URL.`,
    );
  if (!config.databaseUrl) refuseForeignOwner(join(folder, dataFolderParts.database));
  return connectDatabase(config, log).catch((error: unknown) => {
    if (!(error instanceof FolderBusy)) throw error;
    throw new CommandRefused(
      `${error.message}\nOnly one process can open the embedded database. Stop the server, run this command again, then start the server.`,
    );
  });
}

/** Wraps a transaction as a Database; transactions opened on it join the given one. */
export function databaseWithin(database: Database, tx: Transaction): Database {
  return {
    kind: database.kind,
    query: (statement, values) => tx.query(statement, values),
    transaction: (work) => work(tx),
    notify: (channel, payload) => tx.notify(channel, payload),
    listen: (channel, handler, missed) => database.listen(channel, handler, missed),
    close: () => database.close(),
  };
}
