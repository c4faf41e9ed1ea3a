// Completes item names from the space, with a short-lived cache and a timeout.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bulkKindNames } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import type { Transport } from '@yagura/core/http/transport';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import type { Option } from 'commander';
import { historyCommandNames } from '../alerthub/bulk-commands.ts';
import type { Command } from '../command-line/command.ts';
import { flagFields } from '../resource/input/input-flags.ts';
import { parentsOf, readPathParams, toCamelCase } from '../resource/meta/path-params.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import { resources } from '../resource/meta/resources.ts';
import type { Row } from '../resource/meta/row.ts';
import { outputFormats } from '../resource/output/output-format.ts';
import { readProfiles, settingsFolder } from '../signin/profiles.ts';
import { openSession } from '../signin/session.ts';
import { openableResources } from '../space/open.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Cache lifetime and request timeout, in milliseconds. */
const cacheLifetimeMs = 30_000;
const completionTimeoutMs = 1500;
const maxNames = 200;

/** Argument resource of shortcuts, which have no resource of their own. */
const argumentResources: Record<string, string> = { scan: 'network', call: 'callflow', why: 'message' };

/** Completion candidates for a positional argument. */
export async function completeArgument(
  terminal: Terminal,
  command: Command,
  args: readonly string[],
  before: readonly string[],
): Promise<[string, string][]> {
  const ofKind = [command.name(), command.parent?.name() ?? ''];
  if (['import', 'export', ...historyCommandNames].some((word) => ofKind.includes(word)))
    return args.length === 0 ? bulkKindNames.map((kind) => [kind, '']) : [];
  if (command.name() === 'open' && args.length === 0)
    return openableResources.map((meta) => [meta.plural, '']);
  const meta = argumentResources[command.name()]
    ? resourceNamed(argumentResources[command.name()]!)
    : resourceOf(command);
  const [argument] = command.registeredArguments;
  if (!meta || !argument || (args.length > 0 && !argument.variadic)) return [];
  return loadNames(terminal, meta, parentFlags(meta, before));
}

/** Completion candidates for the value of a flag. */
export async function completeOptionValue(
  terminal: Terminal,
  command: Command,
  option: Option,
): Promise<[string, string][]> {
  const meta = resourceOf(command);
  const flag = option.long ?? '';
  const words = (list: readonly string[]): [string, string][] => list.map((word) => [word, '']);
  if (flag === '--output') return option.flags.includes('<format>') ? words(outputFormats) : [];
  if (flag === '--profile')
    return Object.entries(readProfiles(terminal.env).profiles).map(([name, { url }]) => [name, url]);
  if (flag === '--lang') return words(['en', 'ja']);
  if (flag === '--guidance') return loadNames(terminal, resourceNamed('guidance'), {});
  if (!meta) return [];
  if (flag === '--sort') return words(meta.sortable.flatMap((field) => [field, `-${field}`]));
  if (flag === '--columns' || flag === '--json') return words(Object.keys(meta.fields));
  const parent = parentsOf(meta).find((one) => `--${one.name}` === flag);
  if (parent) return loadNames(terminal, parent, {});
  const field = flagFields(meta.input ?? {}).find(({ path }) => optionName(path) === option.attributeName());
  if (field?.meta.options) return words(field.meta.options);
  if (field?.meta.kind === 'reference') return loadNames(terminal, resourceNamed(field.meta.resource!), {});
  return [];
}

function optionName(path: string): string {
  return toCamelCase(path.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
}

function resourceOf(command: Command): ResourceMeta | undefined {
  const group = command.parent?.name();
  const app = command.parent?.parent?.name();
  return resources.find(
    (meta) =>
      (meta.plural === group || meta.name === group) && (!app || meta.app === app || app === 'yagura'),
  );
}

function parentFlags(meta: ResourceMeta, before: readonly string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const parent of parentsOf(meta)) {
    const at = before.indexOf(`--${parent.name}`);
    const inline = before.find((word) => word.startsWith(`--${parent.name}=`));
    const value = inline?.slice(parent.name.length + 3) ?? (at < 0 ? undefined : before[at + 1]);
    if (value) given[toCamelCase(parent.name)] = value;
  }
  return given;
}

async function loadNames(
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
  const cached = file && readCache(file, terminal.now());
  if (cached) return cached;
  const transport: Transport = { ...session.transport, timeoutMs: completionTimeoutMs };
  const pathParams = await readPathParams(meta, parents, transport, terminal.signal);
  const { items } = await resourceClient(meta, transport).list(
    { limit: maxNames },
    pathParams,
    terminal.signal,
  );
  const names = items.map((item: Row): [string, string] => [
    String(item[meta.title]),
    meta.title === meta.id ? '' : String(item[meta.id]),
  ]);
  if (file) writeCache(file, names);
  return names;
}

/** Names can be confidential, so the cache folder is readable by its owner only, like the profiles. */
function cacheFile({ env }: Terminal, key: string): string | undefined {
  const folder = settingsFolder(env);
  return folder && join(folder, 'names', `${key.slice(0, 32)}.json`);
}

function readCache(file: string, now: number): [string, string][] | undefined {
  try {
    if (now - statSync(file).mtimeMs > cacheLifetimeMs) return undefined;
    return JSON.parse(readFileSync(file, 'utf8')) as [string, string][];
  } catch {
    return undefined;
  }
}

function writeCache(file: string, names: readonly [string, string][]): void {
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(names), { mode: 0o600 });
  } catch {
    // An unwritable home directory only makes completion slower.
  }
}
