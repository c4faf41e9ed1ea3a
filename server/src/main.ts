#!/usr/bin/env node
// Starts the server from the command line and shuts it down gracefully.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { receiveMail } from './alerthub/inbound-mail/receive-mail-command.ts';
import { JournalCommandError, journalCommand } from './alerthub/intake/journal-command.ts';
import { verifyAuditLogs } from './audit/verify-command.ts';
import { createLog, errorFields } from './common/log.ts';
import { version } from './common/version.ts';
import { ConfigError, readConfig, usage } from './config/config.ts';
import { type Server, startServer } from './server.ts';
import { CommandRefused } from './space/commands/open-for-command.ts';
import { personCommand } from './space/commands/person-command.ts';
import { spaceCommand } from './space/commands/space-command.ts';

const log = createLog(process.stderr, Date.now);

async function main(): Promise<void> {
  const [, , ...args] = process.argv;
  if (args[0] === 'audit') return auditCommand(args.slice(1));
  if (args[0] === 'space') {
    const print = (line: string) => void process.stdout.write(`${line}\n`);
    return spaceCommand({ args: args.slice(1), env: process.env, log, print });
  }
  if (args[0] === 'journal') {
    const say = (line: string) => void process.stdout.write(`${line}\n`);
    return journalCommand({ args: args.slice(1), env: process.env, log, say });
  }
  if (args[0] === 'person') {
    const print = (line: string) => void process.stdout.write(`${line}\n`);
    return personCommand({ args: args.slice(1), env: process.env, log, print });
  }
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
  const server = await startServer({ config, version, log, consoleSource, receiver: 'thread' });
  stopOnSignal(server);
  void server.lost.then((message) => {
    process.stderr.write(`Yagura stops: ${message}\n`);
    process.exit(1);
  });
  server.failed.catch((error) => {
    log({
      level: 'error',
      message: 'nothing can be received any more, so the server ends',
      ...errorFields(error),
    });
    process.exit(1);
  });
  const { firstSignIn } = server;
  process.stdout.write(`Yagura is ready at ${server.origin}\n`);
  if (server.mailPort !== undefined) process.stdout.write(`Mails come in at port ${server.mailPort}\n`);
  if (firstSignIn?.password) {
    process.stdout.write(
      `Sign in as ${firstSignIn.email} with the password ${firstSignIn.password} (shown only this once)\n`,
    );
  } else if (firstSignIn) {
    process.stdout.write(`Sign in as ${firstSignIn.email} with the password you have set\n`);
  }
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

/** The first signal shuts down gracefully, a second one exits immediately. */
function stopOnSignal(server: Server): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(130);
    stopping = true;
    log({ level: 'info', message: 'stopping', signal });
    server.close().then(
      () => process.exit(0),
      (error) => {
        log({ level: 'error', message: 'stopping failed', ...errorFields(error) });
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
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
