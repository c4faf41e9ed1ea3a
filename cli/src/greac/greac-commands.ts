// Defines the Greac commands that are not derived from resources.
import type { Command } from '../command-line/command.ts';
import type { Terminal } from '../terminal/terminal.ts';

export function addSessionCommands(app: Command, terminal: Terminal): void {
  const { t } = terminal;
  const sessions = app.commands.find((command) => command.name() === 'sessions') as Command;
  sessions
    .command('log')
    .description(t('cli.session-log'))
    .argument('<session>', t('cli.argument.id', { field: 'sessionId' }))
    .option('--kind <kind>', t('cli.session-log.kind'))
    .option('--part <number>', t('cli.session-log.part'))
    .option('--identity <file>', t('cli.session-log.identity'))
    .option('-o, --output <file>', t('cli.session-log.output'))
    .action(async (session, options) =>
      (await import('./session-log.ts')).downloadSessionLog(terminal, session, options),
    );
  sessions
    .command('grep')
    .description(t('cli.session-grep'))
    .argument('<pattern>', t('cli.session-grep.pattern'))
    .argument('[session...]', t('cli.session-grep.sessions'))
    .requiredOption('--identity <file>', t('cli.session-log.identity'))
    .option('-i, --ignore-case', t('cli.session-grep.ignore-case'))
    .action(async (pattern, ids, options) =>
      (await import('./grep-logs.ts')).grepLogs(terminal, pattern, ids, options),
    );
  app
    .command('connect')
    .description(t('cli.connect'))
    .argument('<target>', t('cli.connect.target'))
    .option('--watch', t('cli.connect.watch'))
    .option('--remarks <text>', t('cli.connect.remarks'))
    .option('--host-key <fingerprint>', t('cli.connect.accept-key'))
    .option('--no-open', t('cli.connect.no-open'))
    .action(async (target, options) => (await import('./connect.ts')).connect(terminal, target, options));
  addFileCommands(app, terminal);
}

function addFileCommands(app: Command, terminal: Terminal): void {
  const { t } = terminal;
  const files = app.command('files').description(t('cli.files'));
  files
    .command('list')
    .alias('ls')
    .description(t('cli.files.list'))
    .argument('<target>', t('cli.connect.target'))
    .argument('[path]', t('cli.files.path'), '/')
    .option('--host-key <fingerprint>', t('cli.connect.accept-key'))
    .option('--json', t('cli.files.json'))
    .action(async (target, path, options) =>
      (await import('./files.ts')).listFiles(terminal, target, path, options),
    );
  files
    .command('get')
    .description(t('cli.files.get'))
    .argument('<target>', t('cli.connect.target'))
    .argument('<path>', t('cli.files.path'))
    .option('--host-key <fingerprint>', t('cli.connect.accept-key'))
    .option('-o, --output <file>', t('cli.files.output'))
    .action(async (target, path, options) =>
      (await import('./files.ts')).getFile(terminal, target, path, options.output, options),
    );
  files
    .command('put')
    .description(t('cli.files.put'))
    .argument('<target>', t('cli.connect.target'))
    .argument('<file>', t('cli.files.local'))
    .argument('[path]', t('cli.files.remote'))
    .option('--host-key <fingerprint>', t('cli.connect.accept-key'))
    .action(async (target, file, path, options) =>
      (await import('./files.ts')).putFile(terminal, target, file, path, options),
    );
}
