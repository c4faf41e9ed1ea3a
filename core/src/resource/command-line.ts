// CLI commands equivalent to the screens, as text that can be pasted into a shell and parsed again.
import type { AnyResource } from './define-resource.ts';
import type { FieldMeta } from './field.ts';

/** The part of a resource that commands need; implemented by descriptors and their metadata. */
export type CommandResource = Pick<AnyResource, 'app' | 'name' | 'plural' | 'singleton'>;

/** A parent of the items: the resource's name and the id, outermost first. */
export type CommandParent = readonly [name: string, id: string];

/** List options in the URL. */
export interface ListView {
  /** Counted from 1. */
  page?: number;
  size?: number;
  sort?: string;
  filter?: string;
  search?: string;
  columns?: readonly string[];
}

/** The words before the verb: `yagura alerthub scopes`. */
function resourcePath(resource: CommandResource): string[] {
  return ['yagura', resource.app, resource.singleton ? resource.name : resource.plural];
}

function flagsOf(parents: readonly CommandParent[]): string[] {
  return parents.flatMap(([name, id]) => [`--${name}`, id]);
}

/** The command that lists what a view shows. Options not set in the view use the CLI's defaults. */
export function listCommand(
  resource: CommandResource,
  view: ListView = {},
  parents: readonly CommandParent[] = [],
): string[] {
  const { sort, filter, search, columns } = view;
  return [
    ...resourcePath(resource),
    'list',
    ...flagsOf(parents),
    ...(filter ? ['--filter', filter] : []),
    ...(search ? ['--search', search] : []),
    ...(sort ? ['--sort', sort] : []),
    ...(columns ? ['--columns', columns.join(',')] : []),
    ...pageFlags(view),
  ];
}

/** The paging flags of a list. */
export function pageFlags({ page = 1, size }: Pick<ListView, 'page' | 'size'>): string[] {
  if (!size) return [];
  return ['--limit', String(size), ...(page > 1 ? ['--offset', String((page - 1) * size)] : [])];
}

/** The command for a verb or a call on one item; `id` is omitted for a singleton. */
export function itemCommand(
  resource: CommandResource,
  verb: string,
  id: string | undefined,
  parents: readonly CommandParent[] = [],
): string[] {
  return [...resourcePath(resource), verb, ...(id === undefined ? [] : [id]), ...flagsOf(parents)];
}

/**
 * The flags of an input, as the CLI parses them: dotted flags for members of an object, repeated flags for
 * lists and key-value pairs. Omits secrets, because command lines are stored in the shell history, and
 * default values, unless `whole`.
 */
export function inputFlags(
  values: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, FieldMeta>>,
  { whole = false, prefix = '' }: { whole?: boolean; prefix?: string } = {},
): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = fields[name];
    if (!field || field.kind === 'secret' || value === undefined) return [];
    if (!whole && isDefaultValue(value, field)) return [];
    const path = prefix + name;
    const parts = field.by ? field.variants?.[String(values[field.by])] : field.fields;
    if (parts && isObject(value)) return inputFlags(value, parts, { whole, prefix: `${path}.` });
    return flagValues(value, field).flatMap((word) => flagWith(path, word, field));
  });
}

function isDefaultValue(value: unknown, { default: usual }: FieldMeta): boolean {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return true;
  if (isObject(value) && Object.keys(value).length === 0) return true;
  return usual !== undefined && JSON.stringify(value) === JSON.stringify(usual);
}

/** The values of one field's flag; empty if a flag cannot express the value. */
function flagValues(value: unknown, field: FieldMeta): string[] {
  if (field.kind === 'key-values' && isObject(value)) return pairValues(value);
  if (Array.isArray(value) && field.kind === 'list') {
    return value.length === 0 ? ['[]'] : value.map((item) => itemValue(item));
  }
  if (value === null) return field.nullable && !plainTextKinds.has(field.kind) ? ['null'] : [];
  if (typeof value === 'object' || field.kind === 'json') return [JSON.stringify(value)];
  if (!fileKinds.has(field.kind)) return [String(value)];
  // A lone hyphen means stdin and cannot be escaped.
  return value === '-' ? [] : [escapeAtSign(String(value))];
}

function pairValues(value: Record<string, unknown>): string[] {
  const pairs = Object.entries(value);
  // Pairs with an ambiguous name are passed as JSON.
  const open = pairs.length > 0 && pairs.every(([name]) => /^[^=@{\s-][^=]*$/.test(name));
  return open ? pairs.map(([name, one]) => `${name}=${String(one)}`) : [JSON.stringify(value)];
}

function itemValue(item: unknown): string {
  if (typeof item !== 'string') return JSON.stringify(item);
  return /^\s*[[{]|^[-@]|,/.test(item) ? JSON.stringify([item]) : item;
}

function flagWith(path: string, word: string, { kind }: FieldMeta): string[] {
  const flag = `--${path.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  // A value that starts with a hyphen would be parsed as a flag, and a separate yes or no as an argument.
  return kind === 'boolean' || word.startsWith('-') ? [`${flag}=${word}`] : [flag, word];
}

/** Kinds whose text the CLI takes literally, including `null`. */
const plainTextKinds = new Set(['id', 'text', 'email', 'url', 'secret']);
/** Kinds that the CLI can also read from a file. */
const fileKinds = new Set(['long-text', 'template']);

/** A value that starts with @ would be parsed as a file name. */
function escapeAtSign(text: string): string {
  return text.startsWith('@') ? `@${text}` : text;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const plain = /^[\w@%+=:,./-]+$/;

/** Joins words to one line for a POSIX shell. */
export function quoteShellWords(words: readonly string[]): string {
  return words.map((word) => (plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
