// The commands of the agent.

import type { MessageKey } from '@yagura/core/i18n/message-key';
import { Command, type Option } from 'commander';
import { UsageError } from './agent-error.ts';
import type { Terminal } from './command-line/terminal.ts';
import { version } from './version.ts';

const titles: Record<string, MessageKey> = {
  'Usage:': 'cli.help.usage',
  'Arguments:': 'cli.help.arguments',
  'Options:': 'cli.help.options',
  'Commands:': 'cli.help.commands',
};

/** A command whose errors are translated. */
class AgentCommand extends Command {
  override createCommand(name?: string): AgentCommand {
    return new AgentCommand(name);
  }

  unknownOption(flag: string): void {
    throw new UsageError('cli.usage.unknown-flag', { text: flag, hint: '' });
  }

  unknownCommand(): void {
    throw new UsageError('cli.usage.unknown-command', { text: this.args[0] ?? '', hint: '' });
  }

  missingArgument(name: string): void {
    throw new UsageError('cli.usage.missing-argument', { name });
  }

  optionMissingArgument(option: Option): void {
    throw new UsageError('cli.usage.missing-value', { flag: option.long ?? option.flags });
  }

  _excessArguments(received: string[]): void {
    if (this.commands.length > 0) this.unknownCommand();
    throw new UsageError('cli.usage.excess', { argument: received[this.registeredArguments.length] ?? '' });
  }
}

export function createProgram(terminal: Terminal): Command {
  const { t } = terminal;
  const root = new AgentCommand('yagura-agent');
  root
    .helpCommand(false)
    .exitOverride()
    .helpOption('-h, --help', t('cli.option.help'))
    .configureOutput({
      writeErr: (text) => void process.stderr.write(text),
      getOutHelpWidth: () => terminal.columns,
    })
    .configureHelp({ styleTitle: (title) => (titles[title] ? t(titles[title]) : title) })
    .description(t('agent.about'))
    .version(`yagura-agent ${version}`, '-V, --version', t('cli.option.version'))
    .option('--lang <language>', t('cli.option.lang'))
    .addHelpText('after', () => t('agent.help.after'))
    // Without a command, the help is shown and the exit code says that nothing was done.
    .action(() => root.help({ error: true }));
  const add = (name: string, description: string) =>
    root.command(name).description(description).option('--settings <file>', t('agent.option.settings'));
  add('setup', t('agent.setup'))
    .option('--url <url>', t('agent.setup.url'))
    .option('--token-file <file>', t('agent.setup.token-file'))
    .option('--allow <networks...>', t('agent.setup.allow'))
    .option('--state-folder <folder>', t('agent.setup.state-folder'))
    .option('--replace', t('agent.setup.replace'))
    .action(async (options) => (await import('./command-line/setup.ts')).setUp(terminal, options));
  add('run', t('agent.run')).action(async (options) =>
    (await import('./command-line/run.ts')).run(terminal, options),
  );
  add('doctor', t('agent.doctor'))
    .option('--json', t('agent.option.json'))
    .action(async (options) => (await import('./command-line/doctor.ts')).runDoctor(terminal, options));
  add('check', t('agent.check'))
    .option('--json', t('agent.option.json'))
    .action(async (options) => (await import('./command-line/check.ts')).check(terminal, options));
  const hosts = root.command('hosts').description(t('agent.hosts')).helpCommand(false);
  const addToHosts = (name: string, description: string) =>
    hosts.command(name).description(description).option('--settings <file>', t('agent.option.settings'));
  addToHosts('list', t('agent.hosts.list'))
    .option('--json', t('agent.option.json'))
    .action(async (options) => (await import('./command-line/hosts.ts')).listHosts(terminal, options));
  addToHosts('forget', t('agent.hosts.forget'))
    .argument('<address...>')
    .action(async (addresses, options) =>
      (await import('./command-line/hosts.ts')).forgetHosts(terminal, addresses, options),
    );
  add('scan', t('agent.scan'))
    .argument('<network...>')
    .option('--dry-run', t('agent.scan.dry-run'))
    .option('--json', t('agent.option.json'))
    .action(async (networks, options) =>
      (await import('./command-line/dry-run.ts')).dryRun(terminal, networks, options),
    );
  addGatewayCommands(root, terminal);
  return root;
}

function addGatewayCommands(root: Command, terminal: Terminal): void {
  const { t } = terminal;
  const gateway = root.command('gateway').description(t('agent.gateway'));
  gateway.helpCommand(false).action(() => gateway.help({ error: true }));
  const add = (name: string, description: string) =>
    gateway.command(name).description(description).option('--settings <file>', t('agent.option.settings'));
  add('setup', t('agent.gateway.setup'))
    .option('--url <url>', t('agent.setup.url'))
    .option('--name <name>', t('cli.kroker.name'))
    .option('--allow <networks...>', t('agent.gateway.allow'))
    .option('--state-folder <folder>', t('agent.setup.state-folder'))
    .option('--replace', t('cli.kroker.replace'))
    .action(async (options) =>
      (await import('./command-line/set-up-gateway.ts')).setUpGateway(terminal, options),
    );
  add('forget-host-key', t('agent.gateway.forget'))
    .argument('<host>')
    .argument('[port]')
    .action(async (host, port, options) =>
      (await import('./command-line/forget-host-key.ts')).forgetHostKey(terminal, { host, port }, options),
    );
}
