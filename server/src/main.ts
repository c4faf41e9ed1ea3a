#!/usr/bin/env node
// Starts the server from the command line and shuts it down gracefully. Commands are loaded when they are called: a mail server
// starts receive-mail for every mail.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { growHeapFurther } from '@yagura/core/greac/stream/heap-growth';
import { CommandRefused } from './common/command-refused.ts';
import { errorFields } from './common/log.ts';
import { refuseForeignOwner } from './common/refuse-foreign-owner.ts';
import { version } from './common/version.ts';
import type { CommandOptions } from './config/command-options.ts';
import { ConfigError, readConfig, readLogLevel, readQuestion, usage } from './config/config.ts';
import { unknownVariables } from './config/environment.ts';
import { createServerLog } from './hosting/server-log.ts';
import { listenForStopSignals } from './hosting/stop-signals.ts';

const log = createServerLog(process.stderr, { level: readLogLevel(process.env) });
const print = (line: string) => void process.stdout.write(`${line}\n`);
const isServer = process.argv[2] === undefined || process.argv[2].startsWith('-');

// Without a listener the process would end with a stack trace when the reader of its output ends first.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isServer)
    log({
      level: 'warn',
      message: 'standard output cannot be written; what the server printed there is lost',
      ...errorFields(error),
    });
  else if (error.code !== 'EPIPE') fail(error);
});
process.stderr.on('error', () => {});

const usageHint =
  'Run "yagura-server --help" for all flags and variables; docs/configuration.md describes them.';

async function main(): Promise<void> {
  const [command, ...args] = process.argv.slice(2);
  const given: CommandOptions = { args, env: process.env, log, print };
  const usageOf = usages.get(command ?? '');
  if (usageOf && args.some((arg) => arg === '-h' || arg === '--help')) return print(await usageOf());
  switch (command) {
    case 'audit':
      return auditCommand(args);
    case 'space':
      return (await import('./commands/space-command.ts')).spaceCommand(given);
    case 'journal':
      return (await import('./alerthub/intake/journal-command.ts')).journalCommand(given);
    case 'person':
      return (await import('./commands/person-command.ts')).personCommand(given);
    case 'database':
      return (await import('./commands/database-command.ts')).databaseCommand(given);
    case 'secret':
      return (await import('./commands/secret-command.ts')).secretCommand(given);
    case 'receive-mail': {
      const { receiveMail } = await import('./commands/receive-mail-command.ts');
      const say = (line: string) => void process.stderr.write(`${line}\n`);
      process.exitCode = await receiveMail({ args, env: process.env, input: process.stdin, say });
      return;
    }
    default:
      if (isServer) return serve();
      throw new ConfigError(`${command}: no such command`);
  }
}

/** Usage texts of commands that have their own. */
const usages = new Map<string, () => Promise<string>>([
  ['audit', async () => (await import('./commands/verify-audit-command.ts')).auditUsage],
  ['space', async () => (await import('./commands/space-command.ts')).spaceUsage],
  ['journal', async () => (await import('./alerthub/intake/journal-command.ts')).journalUsage],
  ['person', async () => (await import('./commands/person-command.ts')).personUsage],
  ['database', async () => (await import('./commands/database-command.ts')).databaseUsage],
  ['secret', async () => (await import('./commands/secret-command.ts')).secretUsage],
  ['receive-mail', async () => (await import('./commands/receive-mail-command.ts')).receiveMailUsage],
]);

async function serve(): Promise<void> {
  const question = readQuestion(process.argv.slice(2));
  if (question !== undefined) return print(question === 'help' ? usage : version);
  const config = readConfig(process.argv.slice(2), process.env);
  for (const name of unknownVariables(process.env))
    log({ level: 'warn', message: `${name} is not a setting of the server and has no effect` });
  const { dataFolderParts } = await import('./db/pglite/data-folder.ts');
  for (const part of Object.values(dataFolderParts)) {
    const path = join(config.dataFolder, part);
    if (existsSync(path)) refuseForeignOwner(path);
  }
  growHeapFurther(setFlagsFromString);
  const stopSignals = listenForStopSignals(log);
  const stopRequested = stopSignals.whileStarting;
  const { connectForServer } = await import('./db/connect-database.ts');
  // Tests refuse nested calls; here the check would cost processor time at each promise.
  const database = connectForServer(config, log, { refuseNestedCalls: false, signal: stopRequested });
  // Awaited by the server, which is loaded while the storage engine starts in its thread.
  database.catch(() => {});
  const { runServer } = await import('./hosting/run-server.ts');
  const consoleSource = [new URL('./console', import.meta.url), new URL('../../web/build', import.meta.url)]
    .map((url) => fileURLToPath(url))
    .find((folder) => existsSync(folder));
  try {
    await runServer({ config, version, log, database, consoleSource, receiver: 'thread', stopSignals });
  } catch (error) {
    if (error !== stopRequested.reason) throw error;
    process.exit(0);
  }
}

/** `audit verify`: exit code 1 when a chain is broken. */
async function auditCommand([verb, ...args]: string[]): Promise<void> {
  const { auditUsage, verifyAuditLogs } = await import('./commands/verify-audit-command.ts');
  if (verb !== 'verify') throw new ConfigError('audit: the only subcommand is verify', auditUsage);
  if (args.at(-1) === '--head') throw new ConfigError('--head: give a value', auditUsage);
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

const noSuchAddress =
  'This machine has no such address. Choose another one with --host (YAGURA_HOST) or YAGURA_MAIL_HOST.';

/** What to do about an error of the operating system. */
const hints: readonly (readonly [reason: RegExp, hint: string])[] = [
  [
    /EADDRINUSE/,
    'Another program uses this port. Stop it, or choose another one with --port or --mail-port.',
  ],
  // At the beginning: a reason about the database begins with its place.
  [/^(?:listen EADDRNOTAVAIL|getaddrinfo)/, noSuchAddress],
  [
    /^listen EACCES/,
    'Ports below 1024 need a privilege: choose another one with --port or --mail-port, or see docs/mail-in.md.',
  ],
  [
    /EMFILE/,
    'This process may open too few files. It needs at least 1,024: raise "ulimit -n", or LimitNOFILE of the unit.',
  ],
];

main().catch(fail);

function fail(error: unknown): never {
  if (error instanceof ConfigError) {
    // The list of all variables would push the reason out of sight.
    process.stderr.write(`${error.message}\n\n${error.usage === usage ? usageHint : error.usage}\n`);
    process.exit(2);
  }
  if (error instanceof CommandRefused) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${isServer ? 'Yagura could not start' : 'The command failed'}: ${reason}\n`);
  for (const [pattern, hint] of hints) if (pattern.test(reason)) process.stderr.write(`${hint}\n`);
  log({ level: 'error', message: isServer ? 'start failed' : 'command failed', ...errorFields(error) });
  process.exit(1);
}
