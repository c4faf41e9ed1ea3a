// The commands of an app: for each of its resources the verbs, and the calls beside them.

import type { Command } from '../term/command.ts';
import { addDataOptions } from '../term/data-options.ts';
import type { Terminal } from '../term/terminal.ts';
import { call as callOf } from './call.ts';
import { catalogue } from './catalogue.ts';
import type { CallEntry, Entry } from './entry.ts';
import { addInputFlags } from './input-flags.ts';
import { list } from './list.ts';
import { nounOf } from './noun.ts';
import { parentsOf } from './place.ts';
import { remove } from './remove.ts';
import { show } from './show.ts';
import { create, edit } from './write.ts';

/** Apps that have resources, in the order of the catalogue. */
export const apps: readonly string[] = [...new Set(catalogue.map((entry) => entry.app))];

/** Calls that have a better command of their own. */
export const replaced: ReadonlySet<string> = new Set([
  'credential.create',
  'message.why',
  'message.raw',
  'message.attachment',
  'message.html',
  'session-log.text-log',
  'session-log.video-log',
  'rule.test',
]);

/** The resources of an app. Only those that `argv` names get their verbs: hundreds of flags are words to look up. */
export function addAppCommands(
  app: Command,
  name: string,
  terminal: Terminal,
  argv: readonly string[],
): void {
  for (const entry of catalogue.filter((one) => one.app === name)) {
    addEntryCommands(app, entry, terminal, argv);
  }
}

/** Whether something is left for commands of its own. */
export function hasCommands({ name, verbs, calls }: Entry): boolean {
  return [...verbs, ...Object.keys(calls)].some((one) => !replaced.has(`${name}.${one}`));
}

/** `list show create edit delete` and the calls of one resource, below `parent`. */
export function addEntryCommands(
  parent: Command,
  entry: Entry,
  terminal: Terminal,
  argv: readonly string[],
): void {
  if (!hasCommands(entry)) return;
  const word = entry.singleton ? entry.name : entry.plural;
  const group = parent.command(word) as Command;
  group.description(nounOf(entry, terminal, entry.singleton ? 0 : 1));
  if (word !== entry.name) group.alias(entry.name);
  if (!argv.includes(word) && !argv.includes(entry.name)) return;
  for (const verb of entry.verbs) {
    if (!replaced.has(`${entry.name}.${verb}`)) addVerb[verb](group, entry, terminal);
  }
  for (const [name, call] of Object.entries(entry.calls)) {
    if (!replaced.has(`${entry.name}.${name}`)) addCall(group, entry, name, call, terminal);
  }
}

const addVerb: Record<Entry['verbs'][number], (group: Command, entry: Entry, terminal: Terminal) => void> = {
  list(group, entry, terminal) {
    const { t } = terminal;
    const command = verbCommand(group, 'list', entry, terminal, 1).alias('ls');
    addParents(command as Command, entry, t);
    command
      .option('-L, --limit <count>', t('cli.option.limit'))
      .option('--offset <count>', t('cli.option.offset'))
      .option('-a, --all', t('cli.option.all'))
      .option('--sort <fields>', t('cli.option.sort', { fields: entry.sortable.join(', ') }))
      .option('--filter <filter>', t('cli.option.filter', { fields: entry.filterable.join(', ') }))
      .option('--columns <fields>', t('cli.option.columns'));
    if (entry.searched) command.option('--search <words>', t('cli.option.search'));
    if (entry.time)
      command.option('--since <time>', t('cli.option.since')).option('--until <time>', t('cli.option.until'));
    addDataOptions(command, t);
    command.action(async (options) => list(terminal, entry, options));
  },
  show(group, entry, terminal) {
    const command = verbCommand(group, 'show', entry, terminal, 0).alias('get') as Command;
    if (!entry.singleton) command.argument('<item>', itemHelp(entry, terminal));
    addParents(command, entry, terminal.t);
    addDataOptions(command, terminal.t);
    command.action(async (...given: unknown[]) => {
      await (entry.singleton
        ? show(terminal, entry, undefined, given[0] as object)
        : show(terminal, entry, String(given[0]), given[1] as object));
    });
  },
  create(group, entry, terminal) {
    const command = verbCommand(group, 'create', entry, terminal, 0).alias('new') as Command;
    addParents(command, entry, terminal.t);
    addInput(command, entry, terminal);
    command.action(async (options) => create(terminal, entry, options));
  },
  edit(group, entry, terminal) {
    const command = verbCommand(group, 'edit', entry, terminal, 0).alias('update') as Command;
    if (!entry.singleton) command.argument('<item>', itemHelp(entry, terminal));
    addParents(command, entry, terminal.t);
    addInput(command, entry, terminal);
    command.action(async (...given: unknown[]) => {
      await (entry.singleton
        ? edit(terminal, entry, undefined, given[0] as object)
        : edit(terminal, entry, String(given[0]), given[1] as object));
    });
  },
  remove(group, entry, terminal) {
    const command = verbCommand(group, 'delete', entry, terminal, 0).aliases(['rm', 'remove']) as Command;
    command.argument('<items...>', itemHelp(entry, terminal));
    addParents(command, entry, terminal.t);
    command.option('-y, --yes', terminal.t('cli.option.yes'));
    command.action(async (items, options) => remove(terminal, entry, items, options));
  },
};

function addCall(group: Command, entry: Entry, name: string, call: CallEntry, terminal: Terminal): void {
  const { t } = terminal;
  const command = group.command(name) as Command;
  command.description(
    t('cli.call', { call: name, noun: nounOf(entry, terminal, call.on === 'item' ? 0 : 1) }),
  );
  if (call.on === 'item' && !entry.singleton) command.argument('<item>', itemHelp(entry, terminal));
  addParents(command, entry, t);
  addInputFlags(command, { ...call.body, ...call.query }, t);
  if (call.danger) command.option('-y, --yes', t('cli.option.yes'));
  if (call.paged)
    command
      .option('-L, --limit <count>', t('cli.option.limit'))
      .option('--offset <count>', t('cli.option.offset'));
  if (call.reply) addDataOptions(command, t);
  command.action(async (...given: unknown[]) => {
    const item = call.on === 'item' && !entry.singleton ? String(given[0]) : undefined;
    const options = given[item === undefined ? 0 : 1] as object;
    await callOf(terminal, entry, name, item, options);
  });
}

function verbCommand(group: Command, verb: string, entry: Entry, terminal: Terminal, count: 0 | 1) {
  return group
    .command(verb)
    .description(terminal.t(`cli.verb.${verb}`, { noun: nounOf(entry, terminal, count) }));
}

function itemHelp(entry: Entry, { t }: Terminal): string {
  return t(entry.title === entry.id ? 'cli.argument.id' : 'cli.argument.item', { field: entry.id });
}

function addParents(command: Command, entry: Entry, t: Terminal['t']): void {
  for (const parent of parentsOf(entry)) {
    command.option(`--${parent.name} <${parent.name}>`, t('cli.option.parent', { name: parent.name }));
  }
}

function addInput(command: Command, entry: Entry, terminal: Terminal): void {
  addInputFlags(command, entry.input ?? {}, terminal.t);
  command.option('--input <file>', terminal.t('cli.option.input'));
  addDataOptions(command, terminal.t);
}
