// The store as commands of the server use it: opened once, refused with advice while a server holds it.

import type { Log } from '../../common/log.ts';
import type { Config } from '../../config/config.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { FolderBusy } from '../../db/pglite/folder-lock.ts';
import { connectDatabase } from '../../startup/connect-database.ts';

/** What cannot be done, said to people. */
export class CommandRefused extends Error {}

/** Throws SpaceRefused when the embedded database is in use: it has room for one process. */
export async function openForCommand(config: Config, log: Log): Promise<Database> {
  return connectDatabase(config, log).catch((error: unknown) => {
    if (!(error instanceof FolderBusy)) throw error;
    throw new CommandRefused(
      `${error.message}\nThe embedded database has room for one process: stop the server, run this again, start the server.`,
    );
  });
}

/** The database as something that is done within a transaction sees it. */
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
