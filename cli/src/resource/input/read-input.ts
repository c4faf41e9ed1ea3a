// Builds a request body from flags and files.
import { parseJson } from '@yagura/core/http/exact-json';
import type { Transport } from '@yagura/core/http/transport';
import type { PathParams } from '@yagura/core/resource/client';
import type { FieldKind, FieldMeta } from '@yagura/core/resource/field';
import { traitsOf } from '@yagura/core/resource/field-kinds';
import { pathParameters } from '@yagura/core/resource/path';
import type { Fields } from '@yagura/core/resource/resource-meta';
import { isStorableDate } from '@yagura/core/validation/date';
import { flagOf } from '../../command-line/flag-name.ts';
import { choiceError, parseChoice } from '../../command-line/parse-choice.ts';
import { readFileOrStdin } from '../../command-line/read-file-or-stdin.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { isId, resolveId } from '../meta/resolve-id.ts';
import { resourceNamed } from '../meta/resource-client.ts';
import type { Row } from '../meta/row.ts';
import { flagFields } from './input-flags.ts';
import { parseDuration, parseTime } from './parse-time.ts';

/** A value given for a dotted path. */
export interface InputValue {
  path: string;
  value: unknown;
}

type Options = Record<string, unknown>;

/** Reads `--input` and the flags in order of increasing precedence. */
export async function readInput(
  fields: Fields,
  options: Options,
  terminal: Terminal,
  transport: Transport,
): Promise<InputValue[]> {
  const values: InputValue[] = [];
  if (typeof options.input === 'string') {
    const body = readJson(await readFileOrStdin(options.input, terminal, '--input'), '--input');
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new UsageError('cli.usage.object', { flag: '--input' });
    }
    values.push(...Object.entries(body).map(([path, value]) => ({ path, value })));
  }
  for (const { path, meta } of flagFields(fields)) {
    const option = options[path];
    if (option === undefined) continue;
    const look = lookUpBeside(values, transport, terminal.signal);
    const value = await parseFlagValue(option, meta, flagOf(path), terminal, look);
    values.push({ path, value: await resolveReferences(value, meta, look) });
  }
  return values;
}

/** The id of the item of a resource that a text names. */
type LookUp = (resource: string, text: string) => Promise<string>;

/** Items that lie in others are looked up in those that were given before: a credential in its Kroker. */
function lookUpBeside(given: readonly InputValue[], transport: Transport, signal: AbortSignal): LookUp {
  return async (resource, text) => {
    const meta = resourceNamed(resource);
    const parents: PathParams = {};
    for (const name of pathParameters(meta.path)) {
      const id = given.findLast(({ path }) => path === name)?.value;
      if (typeof id === 'string') parents[name] = id;
      else if (!isId(text)) throw new UsageError('cli.usage.missing-flag', { flag: flagOf(name) });
    }
    return resolveId(meta, text, transport, parents, signal);
  };
}

/** Replaces names inside lists and objects with ids. */
async function resolveReferences(value: unknown, field: FieldMeta, look: LookUp): Promise<unknown> {
  if (Array.isArray(value) && field.item) {
    const { item } = field;
    return Promise.all(value.map((one) => resolveReferences(one, item, look)));
  }
  if (typeof value === 'object' && value !== null && field.fields) {
    const { fields } = field;
    const parts = Object.entries(value).map(async ([name, part]) => {
      const own = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return [name, own ? await resolveReferences(part, own, look) : part] as const;
    });
    return Object.fromEntries(await Promise.all(parts));
  }
  const named = field.kind === 'reference' && field.resource && !field.resourceBy;
  if (!named || typeof value !== 'string' || value === '') return value;
  return look(field.resource!, value);
}

/** Merges the given values into a body, including nested objects. */
export function applyInput(base: Row, values: readonly InputValue[]): Row {
  const body = structuredClone(base);
  for (const { path, value } of values) {
    const names = path.split('.');
    const last = names.pop()!;
    let target: Row = body;
    for (const name of names) {
      const inner = Object.hasOwn(target, name) ? target[name] : undefined;
      if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) target = inner as Row;
      else {
        target[name] = {};
        target = target[name] as Row;
      }
    }
    target[last] = value;
  }
  return body;
}

/** Fills in choices with a single option and returns the flags of missing required fields. */
export function missingFlags(fields: Fields, body: Row, prefix = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.required && body[name] === undefined && field.options?.length === 1)
      body[name] = field.options[0];
    const value = body[name];
    const inner = field.variants?.[String(body[field.by ?? ''])] ?? field.fields;
    if (value === undefined && field.required && inner) return missingFlags(inner, {}, `${prefix}${name}.`);
    if (value === undefined) return field.required ? [flagOf(prefix + name)] : [];
    const open = inner && typeof value === 'object' && value !== null && !Array.isArray(value);
    return open ? missingFlags(inner, value as Row, `${prefix}${name}.`) : [];
  });
}

/** Kinds for which the flag value `null` is that text. */
const acceptsNullText = (kind: FieldKind) =>
  kind === 'id' || traitsOf(kind).written === 'secret' || traitsOf(kind).prose === 'line';

/** Kinds whose flag may name a file. */
const acceptsFile = (kind: FieldKind) =>
  traitsOf(kind).written === 'json' || traitsOf(kind).prose === 'lines';

async function parseFlagValue(
  option: unknown,
  field: FieldMeta,
  flag: string,
  terminal: Terminal,
  look: LookUp,
): Promise<unknown> {
  if (typeof option === 'boolean') return option;
  if (field.kind === 'list') {
    const lists = await Promise.all(
      (option as string[]).map((text) => parseListValue(text, field, flag, terminal, look)),
    );
    return lists.flat();
  }
  if (field.kind === 'key-values') {
    const pairs = await Promise.all((option as string[]).map((text) => parsePairs(text, flag, terminal)));
    return Object.assign({}, ...pairs) as unknown;
  }
  const text = String(option);
  if (text === 'null' && field.nullable && !acceptsNullText(field.kind)) return null;
  return parseSingleValue(text, field, flag, terminal, look);
}

/** Excludes `undefined`, so that the compiler finds a kind that nothing parses. */
type FlagValue = string | number | boolean | object | null;

async function parseSingleValue(
  text: string,
  field: FieldMeta,
  flag: string,
  terminal: Terminal,
  look: LookUp,
): Promise<FlagValue> {
  switch (field.kind) {
    case 'integer':
    case 'number':
    case 'bytes': {
      const value = text.trim() === '' ? Number.NaN : Number(text);
      if (Number.isFinite(value)) return value;
      throw new UsageError('cli.usage.not-number', { flag, text });
    }
    case 'seconds': {
      const value = parseDuration(text);
      if (value !== undefined) return value;
      throw new UsageError('cli.usage.length', { flag, text });
    }
    case 'boolean':
      if (/^(true|false)$/.test(text)) return text === 'true';
      throw choiceError(flag, ['true', 'false']);
    case 'choice':
      return parseChoice(flag, text, field.options ?? []);
    case 'date':
      if (isStorableDate(text)) return text;
      throw new UsageError('cli.usage.date', { flag, text });
    case 'date-time':
      return parseTime(text, flag, terminal.now());
    case 'reference':
      return look(field.resource!, text);
    case 'json':
    case 'object':
    case 'variant':
    case 'list':
    case 'key-values':
      return readJson(await readFlagContent(text, field, flag, terminal), flag) as FlagValue;
    case 'id':
    case 'text':
    case 'long-text':
    case 'template':
    case 'email':
    case 'url':
    case 'secret':
    case 'rrule':
    case 'time-zone':
      return readFlagContent(text, field, flag, terminal);
  }
}

async function parseListValue(
  text: string,
  field: FieldMeta,
  flag: string,
  terminal: Terminal,
  look: LookUp,
) {
  const item = field.item;
  const content = await readFlagContent(text, field, flag, terminal);
  if (/^\s*[[{]/.test(content)) {
    const value = readJson(content, flag);
    return Array.isArray(value) ? value : [value];
  }
  if (item?.kind === 'choice') {
    const words = content.split(',').map((word) => word.trim());
    return Promise.all(words.map((word) => parseSingleValue(word, item, flag, terminal, look)));
  }
  // An object with a single required field can be given as that field's value.
  const requiredFields = Object.entries(item?.fields ?? {}).filter(([, part]) => part.required);
  if (item?.kind === 'object' && requiredFields.length === 1) {
    const [name, part] = requiredFields[0]!;
    return [{ [name]: await parseSingleValue(content, part, flag, terminal, look) }];
  }
  if (!item || item.kind === 'object' || item.kind === 'json') return [readJson(content, flag)];
  return [await parseSingleValue(content, item, flag, terminal, look)];
}

async function parsePairs(text: string, flag: string, terminal: Terminal): Promise<Record<string, unknown>> {
  const content =
    text.startsWith('@') || text === '-'
      ? await readFileOrStdin(text.replace(/^@/, ''), terminal, flag)
      : text;
  if (content.trimStart().startsWith('{')) return readJson(content, flag) as Record<string, unknown>;
  const equals = content.indexOf('=');
  if (equals < 1) throw new UsageError('cli.usage.pair', { flag, text });
  return { [content.slice(0, equals)]: content.slice(equals + 1) };
}

/**
 * Returns the text itself, or the content of `@file` or `-` where the field allows that; `@@` is a literal
 * `@`.
 */
async function readFlagContent(
  text: string,
  field: FieldMeta,
  flag: string,
  terminal: Terminal,
): Promise<string> {
  if (!acceptsFile(field.kind)) return text;
  if (text === '-') return readFileOrStdin('-', terminal, flag);
  if (text.startsWith('@@')) return text.slice(1);
  return text.startsWith('@') ? readFileOrStdin(text.slice(1), terminal, flag) : text;
}

/** Errors tell the place only: those of JSON.parse are English and quote the text, which may hold a password. */
function readJson(text: string, flag: string): unknown {
  try {
    return parseJson(text);
  } catch (reason) {
    throw new UsageError('cli.usage.json', { flag, reason });
  }
}
