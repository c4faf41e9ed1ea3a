// The commands of an app: for each of its resources the verbs, and the calls beside them.

import type { Command } from '../term/command.ts';
import { addDataOptions } from '../term/data-options.ts';
import type { Terminal } from '../term/terminal.ts';
import { call as callOf } from './call.ts';
import { catalogue } from './catalogue.ts';
import type { CallMeta, ResourceMeta } from './entry.ts';
import { addInputFlags } from './input-flags.ts';
import { list } from './list.ts';
import { nounOf } from './noun.ts';
import { parentsOf } from './place.ts';
import { remove } from './remove.ts';
import { show } from './show.ts';
import { create, edit } from './write.ts';

/** Apps that have resources, in the order of the catalogue. */
export const apps: readonly string[] = [...new Set(catalogue.map((meta) => meta.app))];

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
  for (const meta of catalogue.filter((one) => one.app === name)) {
    addEntryCommands(app, meta, terminal, argv);
  }
}

/** Whether something is left for commands of its own. */
export function hasCommands({ name, verbs, calls }: ResourceMeta): boolean {
  return [...verbs, ...Object.keys(calls)].some((one) => !replaced.has(`${name}.${one}`));
}

/** `list show create edit delete` and the calls of one resource, below `parent`. */
export function addEntryCommands(
  parent: Command,
  meta: ResourceMeta,
  terminal: Terminal,
  argv: readonly string[],
): void {
  if (!hasCommands(meta)) return;
  const word = meta.singleton ? meta.name : meta.plural;
  const group = parent.command(word) as Command;
  group.description(nounOf(meta, terminal, meta.singleton ? 0 : 1));
  if (word !== meta.name) group.alias(meta.name);
  if (!argv.includes(word) && !argv.includes(meta.name)) return;
  for (const verb of meta.verbs) {
    if (!replaced.has(`${meta.name}.${verb}`)) addVerb[verb](group, meta, terminal);
  }
  for (const [name, call] of Object.entries(meta.calls)) {
    if (!replaced.has(`${meta.name}.${name}`)) addCall(group, meta, name, call, terminal);
  }
}

const addVerb: Record<
  ResourceMeta['verbs'][number],
  (group: Command, meta: ResourceMeta, terminal: Terminal) => void
> = {
  list(group, meta, terminal) {
    const { t } = terminal;
    const command = verbCommand(group, 'list', meta, terminal, 1).alias('ls');
    addParents(command as Command, meta, t);
    command
      .option('-L, --limit <count>', t('cli.option.limit'))
      .option('--offset <count>', t('cli.option.offset'))
      .option('-a, --all', t('cli.option.all'))
      .option('--sort <fields>', t('cli.option.sort', { fields: meta.sortable.join(', ') }))
      .option('--filter <filter>', t('cli.option.filter', { fields: meta.filterable.join(', ') }))
      .option('--columns <fields>', t('cli.option.columns'));
    if (meta.searched) command.option('--search <words>', t('cli.option.search'));
    if (meta.time)
      command.option('--since <time>', t('cli.option.since')).option('--until <time>', t('cli.option.until'));
    addDataOptions(command, t);
    command.action(async (options) => list(terminal, meta, options));
  },
  show(group, meta, terminal) {
    const command = verbCommand(group, 'show', meta, terminal, 0).alias('get') as Command;
    if (!meta.singleton) command.argument('<item>', itemHelp(meta, terminal));
    addParents(command, meta, terminal.t);
    addDataOptions(command, terminal.t);
    command.action(async (...given: unknown[]) => {
      await (meta.singleton
        ? show(terminal, meta, undefined, given[0] as object)
        : show(terminal, meta, String(given[0]), given[1] as object));
    });
  },
  create(group, meta, terminal) {
    const command = verbCommand(group, 'create', meta, terminal, 0).alias('new') as Command;
    addParents(command, meta, terminal.t);
    addInput(command, meta, terminal);
    command.action(async (options) => create(terminal, meta, options));
  },
  edit(group, meta, terminal) {
    const command = verbCommand(group, 'edit', meta, terminal, 0).alias('update') as Command;
    if (!meta.singleton) command.argument('<item>', itemHelp(meta, terminal));
    addParents(command, meta, terminal.t);
    addInput(command, meta, terminal);
    command.action(async (...given: unknown[]) => {
      await (meta.singleton
        ? edit(terminal, meta, undefined, given[0] as object)
        : edit(terminal, meta, String(given[0]), given[1] as object));
    });
  },
  remove(group, meta, terminal) {
    const command = verbCommand(group, 'delete', meta, terminal, 0).aliases(['rm', 'remove']) as Command;
    command.argument('<items...>', itemHelp(meta, terminal));
    addParents(command, meta, terminal.t);
    command.option('-y, --yes', terminal.t('cli.option.yes'));
    command.action(async (items, options) => remove(terminal, meta, items, options));
  },
};

function addCall(group: Command, meta: ResourceMeta, name: string, call: CallMeta, terminal: Terminal): void {
  const { t } = terminal;
  const command = group.command(name) as Command;
  command.description(
    t('cli.call', { call: name, noun: nounOf(meta, terminal, call.on === 'item' ? 0 : 1) }),
  );
  if (call.on === 'item' && !meta.singleton) command.argument('<item>', itemHelp(meta, terminal));
  addParents(command, meta, t);
  addInputFlags(command, { ...call.body, ...call.query }, t);
  if (call.danger) command.option('-y, --yes', t('cli.option.yes'));
  if (call.paged)
    command
      .option('-L, --limit <count>', t('cli.option.limit'))
      .option('--offset <count>', t('cli.option.offset'));
  if (call.reply) addDataOptions(command, t);
  command.action(async (...given: unknown[]) => {
    const item = call.on === 'item' && !meta.singleton ? String(given[0]) : undefined;
    const options = given[item === undefined ? 0 : 1] as object;
    await callOf(terminal, meta, name, item, options);
  });
}

function verbCommand(group: Command, verb: string, meta: ResourceMeta, terminal: Terminal, count: 0 | 1) {
  return group
    .command(verb)
    .description(terminal.t(`cli.verb.${verb}`, { noun: nounOf(meta, terminal, count) }));
}

function itemHelp(meta: ResourceMeta, { t }: Terminal): string {
  return t(meta.title === meta.id ? 'cli.argument.id' : 'cli.argument.item', { field: meta.id });
}

function addParents(command: Command, meta: ResourceMeta, t: Terminal['t']): void {
  for (const parent of parentsOf(meta)) {
    command.option(`--${parent.name} <${parent.name}>`, t('cli.option.parent', { name: parent.name }));
  }
}

function addInput(command: Command, meta: ResourceMeta, terminal: Terminal): void {
  addInputFlags(command, meta.input ?? {}, terminal.t);
  command.option('--input <file>', terminal.t('cli.option.input'));
  addDataOptions(command, terminal.t);
}
