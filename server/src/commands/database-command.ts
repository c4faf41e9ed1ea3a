// `yagura-server database copy`: moves an installation from the embedded database to PostgreSQL.

import { parseArgs } from 'node:util';
import { hasWaitingMessages, intakeFolder } from '../alerthub/intake/waiting-messages.ts';
import { CommandRefused } from '../common/command-refused.ts';
import type { Log } from '../common/log.ts';
import type { CommandOptions } from '../config/command-options.ts';
import { ConfigError, readConfig } from '../config/config.ts';
import { CopyError, copyDatabase } from '../db/copy-database.ts';
import type { Database } from '../db/database.ts';
import { migrations } from '../db/migrations/all.ts';
import { openDatabase } from '../db/open-database.ts';
import { openForCommand } from './open-for-command.ts';

export const databaseUsage = `Usage: yagura-server database copy [--data FOLDER]

Copies the embedded database of the data folder to the empty PostgreSQL database that DATABASE_URL names, and compares both.
The data in the folder is not changed. Stop the server first; start it with DATABASE_URL afterwards.`;

/** Throws ConfigError for invalid arguments, CommandRefused when the copy is not possible. */
export async function databaseCommand({ args, env, log, print }: CommandOptions): Promise<void> {
  const folder = parseArguments(args);
  const config = readConfig(folder === undefined ? [] : ['--data', folder], env);
  const { databaseUrl } = config;
  if (!databaseUrl)
    throw new ConfigError('DATABASE_URL: set it to the PostgreSQL database to copy to', databaseUsage);
  const source = await openForCommand({ ...config, databaseUrl: undefined }, log);
  let target: Database | undefined;
  try {
    await refuseWaitingMessages(source, config.dataFolder);
    target = await openDatabase({
      databaseUrl,
      migrations,
      log: (line) => log(line as Parameters<Log>[0]),
      // One transaction copies everything.
      ...{ statementTimeoutMs: copyTimeoutMs, transactionTimeoutMs: copyTimeoutMs },
    });
    let total = 0;
    await copyDatabase(source, target, ({ name, rows }) => {
      total += rows;
      if (rows > 0) print(`${name}\t${rows}`);
    });
    print(`Copied and compared ${total} rows. Start the server with DATABASE_URL from now on.`);
  } catch (error) {
    throw error instanceof CopyError ? new CommandRefused(error.message) : error;
  } finally {
    await target?.close();
    await source.close();
  }
}

const copyTimeoutMs = 24 * 60 * 60 * 1000;

function parseArguments(args: string[]): string | undefined {
  const usageError = (reason: string) => new ConfigError(reason, databaseUsage);
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { data: { type: 'string' } },
      allowPositionals: true,
    });
    if (positionals.length !== 1 || positionals[0] !== 'copy')
      throw usageError('database: the only subcommand is copy');
    return values.data;
  } catch (error) {
    throw error instanceof ConfigError ? error : usageError(`database: ${(error as Error).message}`);
  }
}

/** A server with PostgreSQL may have no intake journal: messages that wait in it would be left behind. */
async function refuseWaitingMessages(source: Database, dataFolder: string): Promise<void> {
  if (!(await hasWaitingMessages(source, intakeFolder(dataFolder), { unknown: true }))) return;
  throw new CommandRefused(
    'Acknowledged messages wait in the intake journal. Start the server without DATABASE_URL, wait until it has stored them, stop it, and run this command again.',
  );
}
