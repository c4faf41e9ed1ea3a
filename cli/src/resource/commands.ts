// Adds the commands of an app: the verbs and calls of each of its resources.

import { dataKey } from '@yagura/core/i18n/message-key';
import { isCopyable } from '@yagura/core/resource/copy-item';
import { permissionFor } from '@yagura/core/resource/required-permission';
import type { CallMeta, ResourceMeta } from '@yagura/core/resource/resource-meta';
import type { Command } from '../command-line/command.ts';
import { addDataOptions, addPageOptions } from '../command-line/data-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { runCall as callOf } from './call.ts';
import {
  changeWords,
  filterExample,
  inputWords,
  itemWords,
  listWords,
  parentWords,
  requiredWords,
} from './input/example-words.ts';
import { addInputFlags } from './input/input-flags.ts';
import { list } from './list.ts';
import { nounOf, nounWithArticle } from './meta/noun.ts';
import { parentsOf } from './meta/path-params.ts';
import { isNamed } from './meta/resolve-id.ts';
import { resources } from './meta/resources.ts';
import { remove } from './remove.ts';
import { show } from './show.ts';
import { create, edit } from './write.ts';

/** Apps that have resources, in catalog order. */
export const apps: readonly string[] = [...new Set(resources.map((meta) => meta.app))];

/** Calls that are covered by a dedicated command. */
export const customCommands: ReadonlySet<string> = new Set([
  'credential.create',
  'message.why',
  'message.raw',
  'message.attachment',
  'message.html',
  'session-log.text-log',
  'session-log.video-log',
  'rule.test',
  'guidance.speech',
  'guidance.recording',
  'mock-phone.heard',
  'chain.preview',
  'audit-record.export',
]);

/**
 * Adds the resources of an app. Only those named in `argv` get their subcommands, since hundreds of flags
 * need translations.
 */
export function addAppCommands(
  app: Command,
  name: string,
  terminal: Terminal,
  argv: readonly string[],
): void {
  for (const meta of resources.filter((one) => one.app === name)) {
    addResourceCommands(app, meta, terminal, argv);
  }
}

/** Whether any command remains to be derived from the resource. */
export function hasCommands({ name, verbs, calls }: ResourceMeta): boolean {
  return [...verbs, ...Object.keys(calls)].some((one) => !customCommands.has(`${name}.${one}`));
}

/** Adds `list show create edit delete` and the calls of one resource to `parent`. */
export function addResourceCommands(
  parent: Command,
  meta: ResourceMeta,
  terminal: Terminal,
  argv: readonly string[],
): void {
  if (!hasCommands(meta)) return;
  const word = meta.singleton ? meta.name : meta.plural;
  const group = parent.command(word) as Command;
  const noun = meta.singleton ? nounWithArticle(meta, terminal) : nounOf(meta, terminal, 1);
  group.description(terminal.t('cli.resource', { noun }));
  if (word !== meta.name) group.alias(meta.name);
  if (!argv.includes(word) && !argv.includes(meta.name)) return;
  for (const verb of meta.verbs) {
    if (!customCommands.has(`${meta.name}.${verb}`)) verbBuilders[verb](group, meta, terminal);
  }
  for (const [name, call] of Object.entries(meta.calls)) {
    if (!customCommands.has(`${meta.name}.${name}`)) addCallCommand(group, meta, name, call, terminal);
  }
}

const verbBuilders: Record<
  ResourceMeta['verbs'][number],
  (group: Command, meta: ResourceMeta, terminal: Terminal) => void
> = {
  list(group, meta, terminal) {
    const { t } = terminal;
    const command = createVerbCommand(group, 'list', meta, terminal, 1).alias('ls') as Command;
    addParentOptions(command, meta, terminal);
    command
      .option('-L, --limit <count>', t('cli.option.limit'))
      .option('--offset <count>', t('cli.option.offset'))
      .option('-a, --all', t('cli.option.all'));
    addSelectionOptions(command, meta, t);
    command.option('--columns <fields>', t('cli.option.columns'));
    addDataOptions(command, t);
    command.example([...parentWords(meta), ...listWords(meta)]);
    command.action(async (options) => list(terminal, meta, options));
  },
  show(group, meta, terminal) {
    const command = createVerbCommand(group, 'show', meta, terminal, 0).alias('get') as Command;
    if (!meta.singleton) command.argument('<item>', itemHelp(meta, terminal));
    addParentOptions(command, meta, terminal);
    addDataOptions(command, terminal.t);
    command.example([...itemWords(meta), ...parentWords(meta), '-o yaml']);
    command.action(async (...args: unknown[]) => {
      await (meta.singleton
        ? show(terminal, meta, undefined, args[0] as object)
        : show(terminal, meta, String(args[0]), args[1] as object));
    });
  },
  create(group, meta, terminal) {
    const command = createVerbCommand(group, 'create', meta, terminal, 0).alias('new') as Command;
    addParentOptions(command, meta, terminal);
    if (isCopyable(meta.verbs)) command.option('--copy-of <item>', terminal.t('cli.option.copy-of'));
    addInputOptions(command, meta, terminal);
    command.example([...parentWords(meta), ...inputWords(meta.input ?? {})]);
    command.action(async (options) => create(terminal, meta, options));
  },
  edit(group, meta, terminal) {
    const command = createVerbCommand(group, 'edit', meta, terminal, 0).alias('update') as Command;
    if (!meta.singleton) command.argument('<item>', itemHelp(meta, terminal));
    addParentOptions(command, meta, terminal);
    addInputOptions(command, meta, terminal);
    command.example([...itemWords(meta), ...parentWords(meta), ...changeWords(meta)]);
    command.action(async (...args: unknown[]) => {
      await (meta.singleton
        ? edit(terminal, meta, undefined, args[0] as object)
        : edit(terminal, meta, String(args[0]), args[1] as object));
    });
  },
  remove(group, meta, terminal) {
    const command = createVerbCommand(group, 'remove', meta, terminal, 1).aliases([
      'rm',
      'remove',
    ]) as Command;
    command.argument('<items...>', itemHelp(meta, terminal));
    addParentOptions(command, meta, terminal);
    command.option('-y, --yes', terminal.t('cli.option.yes'));
    command.example([...itemWords(meta), ...parentWords(meta), '--yes']);
    command.action(async (items, options) => remove(terminal, meta, items, options));
  },
};

function addCallCommand(
  group: Command,
  meta: ResourceMeta,
  name: string,
  call: CallMeta,
  terminal: Terminal,
): void {
  const { t } = terminal;
  const command = (group.command(name) as Command).requires(permissionFor(meta, name));
  command.description(t(dataKey(`call.${meta.name}.${name}`)));
  if (call.on === 'item' && !meta.singleton) command.argument('<item>', itemHelp(meta, terminal));
  addParentOptions(command, meta, terminal);
  addInputFlags(command, { ...call.body, ...call.query }, t);
  if (call.danger) command.option('-y, --yes', t('cli.option.yes'));
  if (call.paged) addPageOptions(command, t);
  else if (call.reply) addDataOptions(command, t);
  command.example([
    ...(call.on === 'item' ? itemWords(meta) : []),
    ...parentWords(meta),
    ...requiredWords({ ...call.body, ...call.query }),
    ...(call.danger ? ['--yes'] : []),
  ]);
  command.action(async (...args: unknown[]) => {
    const item = call.on === 'item' && !meta.singleton ? String(args[0]) : undefined;
    const options = args[item === undefined ? 0 : 1] as object;
    await callOf(terminal, meta, name, item, options);
  });
}

function createVerbCommand(
  group: Command,
  verb: ResourceMeta['verbs'][number],
  meta: ResourceMeta,
  terminal: Terminal,
  count: 0 | 1,
) {
  const noun = count === 0 ? nounWithArticle(meta, terminal) : nounOf(meta, terminal, count);
  const command = group.command(verb === 'remove' ? 'delete' : verb) as Command;
  return command
    .requires(permissionFor(meta, verb))
    .description(terminal.t(dataKey(`cli.verb.${command.name()}`), { noun }));
}

function itemHelp(meta: ResourceMeta, { t }: Terminal): string {
  return t(isNamed(meta) ? 'cli.argument.item' : 'cli.argument.id', { field: meta.id });
}

function addParentOptions(command: Command, meta: ResourceMeta, terminal: Terminal): void {
  for (const parent of parentsOf(meta))
    command.option(`--${parent.name} <${parent.name}>`, referenceHelp(parent, terminal));
}

/** Help of a flag whose value is an item of the resource. */
export function referenceHelp(meta: ResourceMeta, terminal: Terminal): string {
  const key = isNamed(meta) ? 'cli.option.item' : 'cli.option.item-id';
  return terminal.t(key, { noun: nounOf(meta, terminal, 0) });
}

/** The flags that select and order the items of a list. */
export function addSelectionOptions(command: Command, meta: ResourceMeta, t: Terminal['t']): void {
  command
    .option('--sort <fields>', t('cli.option.sort', { fields: meta.sortable.join(', ') }))
    .option('--filter <filter>', filterHelp(meta, t));
  if (meta.searchable) command.option('--search <words>', t('cli.option.search'));
  if (meta.time)
    command.option('--since <time>', t('cli.option.since')).option('--until <time>', t('cli.option.until'));
}

/** Help of the flag that filters a list, with a filter of this list. */
export function filterHelp(meta: ResourceMeta, t: Terminal['t']): string {
  return t('cli.option.filter', { example: filterExample(meta), fields: meta.filterable.join(', ') });
}

function addInputOptions(command: Command, meta: ResourceMeta, terminal: Terminal): void {
  addInputFlags(command, meta.input ?? {}, terminal.t, meta.name);
  command.option('--input <file>', terminal.t('cli.option.input'));
  addDataOptions(command, terminal.t);
}
