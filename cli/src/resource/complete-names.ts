// The names of things for completion: asked from the space, kept for a short while, and never waited for long.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bulkKindNames } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import type { Option } from 'commander';
import { historyWords } from '../alerthub/bulk-commands.ts';
import { readProfiles, settingsFolder } from '../signin/profiles.ts';
import { openSession } from '../signin/session.ts';
import type { Command } from '../term/command.ts';
import type { Terminal } from '../term/terminal.ts';
import { catalogue } from './catalogue.ts';
import { outputs } from './data-form.ts';
import type { ResourceMeta, Row } from './entry.ts';
import { entryClient, entryNamed } from './entry-client.ts';
import { inputFields } from './input-flags.ts';
import { camel, parentsOf, placeOf } from './place.ts';

/** Milliseconds that names are kept, and that a shell waits for fresh ones at most. */
const kept = 30_000;
const completionTimeoutMs = 1500;
const max = 200;

/** What a shortcut takes where no resource says it. */
const takes: Record<string, string> = { scan: 'network', call: 'callflow', why: 'message' };

/** Words that may stand as an argument of the command. */
export async function resourceWords(
  terminal: Terminal,
  command: Command,
  given: readonly string[],
  before: readonly string[],
): Promise<[string, string][]> {
  const ofKind = [command.name(), command.parent?.name() ?? ''];
  if (['import', 'export', ...historyWords].some((word) => ofKind.includes(word)))
    return given.length === 0 ? bulkKindNames.map((kind) => [kind, '']) : [];
  if (command.name() === 'open' && given.length === 0)
    return catalogue.filter((meta) => meta.screen).map((meta) => [meta.plural, '']);
  const entry = takes[command.name()] ? entryNamed(takes[command.name()]!) : entryOf(command);
  const [argument] = command.registeredArguments;
  if (!entry || !argument || (given.length > 0 && !argument.variadic)) return [];
  return namesOf(terminal, entry, flagsGiven(entry, before));
}

/** Words that may stand as the value of a flag. */
export async function valuesOf(
  terminal: Terminal,
  command: Command,
  option: Option,
): Promise<[string, string][]> {
  const entry = entryOf(command);
  const flag = option.long ?? '';
  const words = (list: readonly string[]): [string, string][] => list.map((word) => [word, '']);
  if (flag === '--output') return option.flags.includes('<format>') ? words(outputs) : [];
  if (flag === '--profile')
    return Object.entries(readProfiles(terminal.env).profiles).map(([name, { url }]) => [name, url]);
  if (flag === '--lang') return words(['en', 'ja']);
  if (flag === '--guidance') return namesOf(terminal, entryNamed('guidance'), {});
  if (!entry) return [];
  if (flag === '--sort') return words(entry.sortable.flatMap((field) => [field, `-${field}`]));
  if (flag === '--columns' || flag === '--json') return words(Object.keys(entry.fields));
  const parent = parentsOf(entry).find((one) => `--${one.name}` === flag);
  if (parent) return namesOf(terminal, parent, {});
  const field = inputFields(entry.input ?? {}).find(({ path }) => camelFlag(path) === option.attributeName());
  if (field?.meta.options) return words(field.meta.options);
  if (field?.meta.kind === 'reference') return namesOf(terminal, entryNamed(field.meta.resource!), {});
  return [];
}

function camelFlag(path: string): string {
  return camel(path.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
}

function entryOf(command: Command): ResourceMeta | undefined {
  const group = command.parent?.name();
  const app = command.parent?.parent?.name();
  return catalogue.find(
    (meta) =>
      (meta.plural === group || meta.name === group) && (!app || meta.app === app || app === 'yagura'),
  );
}

function flagsGiven(meta: ResourceMeta, before: readonly string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const parent of parentsOf(meta)) {
    const at = before.indexOf(`--${parent.name}`);
    const inline = before.find((word) => word.startsWith(`--${parent.name}=`));
    const value = inline?.slice(parent.name.length + 3) ?? (at < 0 ? undefined : before[at + 1]);
    if (value) given[camel(parent.name)] = value;
  }
  return given;
}

async function namesOf(
  terminal: Terminal,
  meta: ResourceMeta,
  parents: Record<string, string>,
): Promise<[string, string][]> {
  if (!meta.verbs.includes('list')) return [];
  const session = openSession(terminal);
  const key = createHash('sha256')
    .update(JSON.stringify([session.origin, session.profile, session.credential, meta.name, parents]))
    .digest('hex');
  const file = cacheFile(terminal, key);
  const remembered = file && read(file, terminal.now());
  if (remembered) return remembered;
  const transport = { ...session.transport, timeout: completionTimeoutMs };
  const pathParams = await placeOf(meta, parents, transport, terminal.signal);
  const { items } = await entryClient(meta, transport).list({ limit: max }, pathParams, terminal.signal);
  const names = items.map((item: Row): [string, string] => [
    String(item[meta.title]),
    meta.title === meta.id ? '' : String(item[meta.id]),
  ]);
  if (file) write(file, names);
  return names;
}

/** Names are as secret as what they name: the folder is its owner's alone, as the profiles are. */
function cacheFile({ env }: Terminal, key: string): string | undefined {
  const folder = settingsFolder(env);
  return folder && join(folder, 'names', `${key.slice(0, 32)}.json`);
}

function read(file: string, now: number): [string, string][] | undefined {
  try {
    if (now - statSync(file).mtimeMs > kept) return undefined;
    return JSON.parse(readFileSync(file, 'utf8')) as [string, string][];
  } catch {
    return undefined;
  }
}

function write(file: string, names: readonly [string, string][]): void {
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(names), { mode: 0o600 });
  } catch {
    // A home that cannot be written to makes completion slower, no more.
  }
}
