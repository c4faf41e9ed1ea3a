// Completes item names from the space, with a short-lived cache and a timeout.

import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bulkKindNames } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { printFilter } from '@yagura/core/query/filter';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import type { Option } from 'commander';
import { historyCommandNames } from '../alerthub/bulk-commands.ts';
import { apiMethods } from '../api/api-command.ts';
import type { Command } from '../command-line/command.ts';
import { commandPath } from '../command-line/command-path.ts';
import { createFolder } from '../files/create-folder.ts';
import { quickFetch } from '../http/quick-fetch.ts';
import { flagFields } from '../resource/input/input-flags.ts';
import { parentsOf, readPathParams, toCamelCase } from '../resource/meta/path-params.ts';
import { isNamed } from '../resource/meta/resolve-id.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import { resources } from '../resource/meta/resources.ts';
import type { Row } from '../resource/meta/row.ts';
import { outputFormats } from '../resource/output/output-format.ts';
import { readProfiles, settingsFolder } from '../signin/profiles.ts';
import { mustRenew, openSession } from '../signin/session.ts';
import { openableResources } from '../space/open.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { shellScripts } from './shell-scripts.ts';

/** Cache lifetime, and the time to ask the space, in milliseconds. */
const cacheLifetimeMs = 30_000;
const completionTimeoutMs = 1500;
const maxNames = 200;

/** Resource of the first argument of commands that have no resource of their own, or another one. */
const argumentResources: Record<string, string> = {
  scan: 'network',
  call: 'callflow',
  why: 'message',
  'sonar diff': 'network',
  'pigeon preview': 'callflow',
  'greac connect': 'destination',
  'greac files list': 'destination',
  'greac files get': 'destination',
  'greac files put': 'destination',
};

/** Resource of the value of flags that are no field. */
const flagResources: Record<string, string> = { '--guidance': 'guidance', '--test': 'contact' };

/** Commands whose first argument is a kind of bulk files. */
const bulkPaths = ['import', 'export', ...historyCommandNames.map((name) => `alerthub ${name}`)];

/** Fixed words of a first argument, and of a flag's value; loaded on demand from the modules that check them. */
const argumentWords: Record<string, (terminal: Terminal) => readonly string[]> = {
  api: () => apiMethods,
  completion: () => Object.keys(shellScripts),
  'profiles use': profileNames,
  'profiles delete': profileNames,
};
const flagWords: Record<string, () => Promise<readonly string[]>> = {
  'alerts --json': async () => Object.keys((await import('../alerthub/alerts.ts')).alertFields()),
  'export --format': async () => (await import('../alerthub/bulk-export.ts')).exportFormats,
  'alerthub imports rows --operation': async () =>
    (await import('@yagura/core/alerthub/bulk/bulk-job')).planOperations,
  'greac sessions log --kind': async () => (await import('@yagura/core/greac/session-parameters')).logKinds,
  'space audit-records export --format': async () =>
    (await import('../space/audit-commands.ts')).auditFormats,
  'plan --output': async () => ['json'],
  'apply --output': async () => ['json'],
};

/** Flags whose value is a list separated by commas. */
const listFlags = ['--json', '--columns', '--sort'];

export interface TypedWord {
  /** The words before this one. */
  before: readonly string[];
  /** What is typed of the argument or value so far. */
  typed: string;
}

/** Completion candidates for a positional argument. */
export async function completeArgument(
  terminal: Terminal,
  command: Command,
  args: readonly string[],
  word: TypedWord,
): Promise<[string, string][]> {
  const path = pathOf(command);
  if (args.length === 0 && argumentWords[path]) return withoutHelp(argumentWords[path](terminal));
  if (bulkPaths.some((one) => `${path} `.startsWith(`${one} `)))
    return args.length === 0 ? withoutHelp(bulkKindNames) : [];
  if (path === 'open') {
    if (args.length === 0) return withoutHelp(openableResources.map((meta) => meta.plural));
    const chosen = openableResources.find(({ name, plural }) => name === args[0] || plural === args[0]);
    return chosen && args.length === 1 ? loadNames(terminal, chosen, word) : [];
  }
  const meta = argumentResources[path] ? resourceNamed(argumentResources[path]) : resourceOf(command);
  const [argument] = command.registeredArguments;
  if (!meta || !argument || (args.length > 0 && !argument.variadic)) return [];
  return loadNames(terminal, meta, word);
}

/** Completion candidates for the value of a flag. */
export async function completeOptionValue(
  terminal: Terminal,
  command: Command,
  option: Option,
  word: TypedWord,
): Promise<[string, string][]> {
  const meta = resourceOf(command);
  const flag = option.long ?? '';
  const fixed = flagWords[`${pathOf(command)} ${flag}`];
  const known = fixed ? await fixed() : wordsOfFlag(flag, option, meta);
  if (known) {
    const head = listFlags.includes(flag) ? word.typed.slice(0, word.typed.lastIndexOf(',') + 1) : '';
    return withoutHelp(known.map((one) => head + one));
  }
  if (flag === '--profile')
    return Object.entries(readProfiles(terminal.env).profiles).map(([name, { url }]) => [name, url]);
  if (flagResources[flag]) return loadNames(terminal, resourceNamed(flagResources[flag]), word);
  if (!meta) return [];
  const parent = parentsOf(meta).find((one) => `--${one.name}` === flag);
  if (parent) return loadNames(terminal, parent, word);
  const field = flagFields(meta.input ?? {}).find(({ path }) => optionName(path) === option.attributeName());
  if (field?.meta.options) return withoutHelp(field.meta.options);
  if (field?.meta.kind === 'reference') return loadNames(terminal, resourceNamed(field.meta.resource!), word);
  return [];
}

/** The words that a flag of many commands accepts. */
function wordsOfFlag(
  flag: string,
  { flags }: Option,
  meta: ResourceMeta | undefined,
): readonly string[] | undefined {
  if (flag === '--output' && flags.includes('<format>')) return outputFormats;
  if (flag === '--lang') return ['en', 'ja'];
  if (meta && flag === '--sort') return meta.sortable.flatMap((field) => [field, `-${field}`]);
  if (meta && (flag === '--columns' || flag === '--json')) return Object.keys(meta.fields);
  return undefined;
}

const withoutHelp = (words: readonly string[]) => words.map((word): [string, string] => [word, '']);

/** Path of the command below the root. */
const pathOf = (command: Command) => commandPath(command).slice(1).join(' ');

function profileNames({ env }: Terminal): string[] {
  return Object.keys(readProfiles(env).profiles);
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

/** The names of items; of those that are too many, the ones that begin with what is typed. */
async function loadNames(
  terminal: Terminal,
  meta: ResourceMeta,
  { before, typed }: TypedWord,
): Promise<[string, string][]> {
  if (!meta.verbs.includes('list')) return [];
  const names = await fetchNames(terminal, meta, before);
  if (names.length < maxNames || typed === '' || !isNamed(meta)) return names;
  const filter = printFilter({ op: 'sw', field: meta.title, value: typed });
  return fetchNames(terminal, meta, before, filter);
}

async function fetchNames(
  terminal: Terminal,
  meta: ResourceMeta,
  before: readonly string[],
  filter?: string,
): Promise<[string, string][]> {
  const parents = parentFlags(meta, before);
  // Other processes can hold the lock of the profiles for long, and their providers may not reply.
  const signal = AbortSignal.any([terminal.signal, AbortSignal.timeout(completionTimeoutMs)]);
  const session = openSession({ ...terminal, signal });
  const key = createHash('sha256')
    .update(JSON.stringify([session.origin, session.profile, session.credential, meta.name, parents, filter]))
    .digest('hex');
  const file = cacheFile(terminal, key);
  const cached = file && readCache(file, terminal.now());
  if (cached) return cached;
  const { retry: _, ...transport } = session.transport;
  // A renewal uses up the refresh token and is not cut short, so it begins only when the space responds.
  if (mustRenew(session.credential, terminal.now())) await quickFetch(`${session.origin}/readyz`, { signal });
  const pathParams = await readPathParams(meta, parents, transport, signal);
  const { items } = await resourceClient(meta, transport).list(
    { limit: maxNames, filter },
    pathParams,
    signal,
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
    createFolder(join(file, '..'), 0o700);
    writeFileSync(file, JSON.stringify(names), { mode: 0o600 });
  } catch {
    // An unwritable home directory only makes completion slower.
  }
}
