#!/usr/bin/env node
// Starts the server from the command line and shuts it down gracefully.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { growHeapFurther } from '@yagura/core/greac/stream/heap-growth';
import { JournalCommandError, journalCommand } from './alerthub/intake/journal-command.ts';
import { databaseCommand } from './commands/database-command.ts';
import { CommandRefused } from './commands/open-for-command.ts';
import { personCommand } from './commands/person-command.ts';
import { receiveMail } from './commands/receive-mail-command.ts';
import { spaceCommand } from './commands/space-command.ts';
import { verifyAuditLogs } from './commands/verify-audit-command.ts';
import { createLog, errorFields } from './common/log.ts';
import { version } from './common/version.ts';
import { ConfigError, readConfig, readLogLevel, usage } from './config/config.ts';
import { runServer } from './hosting/run-server.ts';

const log = createLog(process.stderr, { level: readLogLevel(process.env) });
const print = (line: string) => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const [, , ...args] = process.argv;
  if (args[0] === 'audit') return auditCommand(args.slice(1));
  if (args[0] === 'space') return spaceCommand({ args: args.slice(1), env: process.env, log, print });
  if (args[0] === 'journal') return journalCommand({ args: args.slice(1), env: process.env, log, print });
  if (args[0] === 'person') return personCommand({ args: args.slice(1), env: process.env, log, print });
  if (args[0] === 'database') return databaseCommand({ args: args.slice(1), env: process.env, log, print });
  if (args[0] === 'receive-mail') {
    const say = (line: string) => void process.stderr.write(`${line}\n`);
    const given = { args: args.slice(1), env: process.env, input: process.stdin, say };
    process.exitCode = await receiveMail(given);
    return;
  }
  const config = readConfig(process.argv.slice(2), process.env);
  if (config.help) return void process.stdout.write(`${usage}\n`);
  if (config.version) return void process.stdout.write(`${version}\n`);
  const consoleSource = [new URL('./console', import.meta.url), new URL('../../web/build', import.meta.url)]
    .map((url) => fileURLToPath(url))
    .find((folder) => existsSync(folder));
  growHeapFurther(setFlagsFromString);
  await runServer({ config, version, log, consoleSource, receiver: 'thread' });
}

/** `audit verify`: exit code 1 when a chain is broken. */
async function auditCommand([verb, ...args]: string[]): Promise<void> {
  if (verb !== 'verify') throw new ConfigError('audit: the only subcommand is verify');
  const heads: string[] = [];
  const rest = args.filter((arg, at) => {
    const isHead = args[at - 1] === '--head';
    if (isHead) heads.push(arg);
    return !isHead && arg !== '--head';
  });
  const { lines, intact } = await verifyAuditLogs(readConfig(rest, process.env), log, heads);
  process.stdout.write(`${lines.join('\n')}\n`);
  if (!intact) process.exitCode = 1;
}

main().catch((error) => {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n\n${error.usage}\n`);
    process.exit(2);
  }
  if (error instanceof CommandRefused || error instanceof JournalCommandError) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
  process.stderr.write(`Yagura could not start: ${error instanceof Error ? error.message : error}\n`);
  log({ level: 'error', message: 'start failed', ...errorFields(error) });
  process.exit(1);
});
