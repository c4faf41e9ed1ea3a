// `yagura-server secret replace`: continues with another installation secret after the earlier one was lost.

import { parseArgs } from 'node:util';
import { replaceInstallationSecret } from '../common/secrets/installation-secret.ts';
import type { CommandOptions } from '../config/command-options.ts';
import { ConfigError, readConfig } from '../config/config.ts';
import { openForCommand } from './open-for-command.ts';

export const secretUsage = `Usage: yagura-server secret replace [--data FOLDER]

Makes YAGURA_SECRET, or without it the secret that is stored in the database, the one of the installation. Everything that was
encrypted with the earlier secret stays unreadable and must be entered again, and the audit log is reported as changed.`;

/** Throws ConfigError for invalid arguments, CommandRefused while a server uses the embedded database. */
export async function secretCommand({ args, env, log, print }: CommandOptions): Promise<void> {
  const folder = parseArguments(args);
  const config = readConfig(folder === undefined ? [] : ['--data', folder], env);
  const database = await openForCommand(config, log);
  try {
    const isReplaced = await replaceInstallationSecret(config, database);
    print(
      isReplaced
        ? 'The installation uses this secret from now on. Start all its servers again with the same setting, and enter the credentials in settings again.'
        : 'The installation already uses this secret.',
    );
  } finally {
    await database.close();
  }
}

function parseArguments(args: string[]): string | undefined {
  const usageError = (reason: string) => new ConfigError(reason, secretUsage);
  let parsed: { values: { data?: string | undefined }; positionals: string[] };
  try {
    parsed = parseArgs({ args, options: { data: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    throw usageError(`secret: ${(error as Error).message}`);
  }
  if (parsed.positionals.length !== 1 || parsed.positionals[0] !== 'replace')
    throw usageError('secret: the only subcommand is replace');
  return parsed.values.data;
}
