// Commander command with translated errors and suggestions for typos.
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';
import { type Option, Command as Plain } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { closestMatch } from './closest-match.ts';
import { helpLayout } from './help/help-layout.ts';
import { helpSections } from './help/help-sections.ts';
import { UsageError } from './usage-error.ts';

const titles: Record<string, MessageKey> = {
  'Usage:': 'cli.help.usage',
  'Arguments:': 'cli.help.arguments',
  'Options:': 'cli.help.options',
  'Commands:': 'cli.help.commands',
  'Global Options:': 'cli.help.global-options',
};

export class Command extends Plain {
  readonly t: Translate;
  /** Arguments and flags of the example in the help; see `examplesOf`. */
  exampleArguments: string | undefined;
  /** Permission that the command requires, such as `alerthub:scopes:list`; see `permissionsOf`. */
  permission: string | undefined;
  readonly #terminal: Terminal;

  constructor(name: string, terminal: Terminal) {
    super(name);
    this.#terminal = terminal;
    this.t = terminal.t;
    this.helpCommand(false);
  }

  /** Sets up the root; subcommands inherit these settings. */
  asRoot(): this {
    const { out, err, columns } = this.#terminal;
    return this.exitOverride()
      .helpOption('-h, --help', this.t('cli.option.help'))
      .configureOutput({
        writeOut: out.write,
        writeErr: err.write,
        getOutHelpWidth: () => columns,
        getErrHelpWidth: () => columns,
      })
      .configureHelp({
        showGlobalOptions: true,
        styleTitle: (title) => out.paint('bold', titles[title] ? this.t(titles[title]) : title),
        ...helpLayout(columns),
      })
      .addHelpText('beforeAll', ({ command }) => refuseUnknownSubcommand(command as Command))
      .addHelpText('afterAll', ({ command }) => this.#sectionsText(command))
      .hook('preAction', (_root, command) => refuseEmptyArguments(command as Command));
  }

  /** Sets the example in the help: what follows the name of the command. */
  example(words: readonly string[]): this {
    this.exampleArguments = words.join(' ');
    return this;
  }

  /** Sets the permission that the command requires. */
  requires(permission: string): this {
    this.permission = permission;
    return this;
  }

  #sectionsText(command: Plain): string {
    const help = command.createHelp();
    help.prepareContext({});
    const { formatItem } = helpLayout(this.#terminal.columns);
    const blocks = helpSections(command, this.t).map(({ title, items }) => {
      const width = Math.max(...items.map(([term]) => help.displayWidth(term)));
      const lines = items.map(([term, description]) =>
        description ? formatItem(term, width, description, help) : `  ${term}`,
      );
      return `\n${this.#terminal.out.paint('bold', title)}\n${lines.join('\n')}`;
    });
    return blocks.join('\n');
  }

  override createCommand(name = ''): Command {
    return new Command(name, this.#terminal);
  }

  /** Called by commander; replaces its English message. */
  unknownOption(flag: string): void {
    const flags: string[] = [];
    for (let command: Plain | null = this; command; command = command.parent) {
      flags.push(...command.options.map((option) => option.long ?? ''));
    }
    throw unknownNameError(
      'cli.usage.unknown-flag',
      flag,
      closestMatch(flag, [...flags, '--help', '--profile', '--lang']),
      this.t,
    );
  }

  unknownCommand(): void {
    const [word = '', ...others] = this.args;
    if (word === 'help') this.#helpOf(others);
    throw this.unknown(word);
  }

  /** `yagura scopes help list` is `yagura help scopes list`. */
  #helpOf(words: readonly string[]): never {
    const [word, ...others] = words;
    if (word === undefined || word.startsWith('-')) this.help();
    const next = this.commands.find((command) => command.name() === word || command.aliases().includes(word));
    if (!next) throw this.unknown(word);
    if (next.commands.length > 0) return (next as Command).#helpOf(others);
    return next.help();
  }

  /**
   * Creates the error for an unknown subcommand; other words that are not subcommands may be suggested too.
   */
  unknown(word: string, others: readonly string[] = []): UsageError {
    const names = this.commands.flatMap((command) => [command.name(), ...command.aliases()]);
    return unknownNameError(
      'cli.usage.unknown-command',
      word,
      closestMatch(word, [...names, ...others]),
      this.t,
    );
  }

  missingArgument(name: string): void {
    throw new UsageError('cli.usage.missing-argument', { name });
  }

  missingMandatoryOptionValue(option: Option): void {
    throw new UsageError('cli.usage.missing-flag', { flag: option.long ?? option.flags });
  }

  optionMissingArgument(option: Option): void {
    throw new UsageError('cli.usage.missing-value', { flag: option.long ?? option.flags });
  }

  _excessArguments(received: string[]): void {
    if (this.commands.length > 0) this.unknownCommand();
    throw new UsageError('cli.usage.excess', { argument: received[this.registeredArguments.length] ?? '' });
  }
}

/** The help of a group is no answer to the name of a command that it does not have. */
function refuseUnknownSubcommand(command: Command): string {
  const [word = '-'] = command.args;
  if (command.commands.length > 0 && !word.startsWith('-') && word !== 'help') throw command.unknown(word);
  return '';
}

/** An empty variable of a script is no argument: it would name the list of the items instead of one. */
function refuseEmptyArguments(command: Command): void {
  for (const [index, argument] of command.registeredArguments.entries()) {
    const given = argument.variadic ? command.args.slice(index) : command.args.slice(index, index + 1);
    if (argument.required && given.some((text) => text.trim() === ''))
      command.missingArgument(argument.name());
  }
}

function unknownNameError(word: MessageKey, text: string, close: string[], t: Translate): UsageError {
  const hint = close.length > 0 ? t('cli.usage.did-you-mean', { words: close.join(', ') }) : '';
  return new UsageError(word, { text, hint });
}
