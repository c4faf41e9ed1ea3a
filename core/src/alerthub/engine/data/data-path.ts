// Paths into the data of a message: dotted, such as `message.content.data.alerts.0.labels["a.b"]`, or JSONPath,
// such as `$.message.content.data.alerts[?@.status=="firing"].labels.alertname`.

import { reason } from '../errors/decision-reason.ts';
import { FlowError } from '../errors/flow-error.ts';
import { JsonPath, maxPathResults, queryBudget } from './json-path.ts';
import { SelectedList } from './selected-list.ts';
import type { WorkBudget } from './work-budget.ts';

/** A path as written: its keys, outermost first, or a JSONPath query. */
export type DataPath = { text: string } & (
  | { keys: readonly string[]; query?: undefined }
  | { query: JsonPath; keys?: undefined }
);

const maxPathLength = 512;
const maxKeys = 64;

/**
 * Parses a path. One that begins with `$` is a JSONPath query; in a dotted path, keys with dots or special
 * characters are written in brackets as a JSON string. Throws FlowError with an empty path.
 */
export function parsePath(text: string): DataPath {
  const trimmed = text.trim();
  // A dotted path may begin with a key such as `$type`.
  if (/^\$(?:$|[\s.[])/.test(trimmed)) return { text: trimmed, query: new JsonPath(trimmed) };
  const keys: string[] = [];
  let index = 0;
  const fail = (): never => {
    throw new FlowError('', reason('why.path.bad', { path: trimmed.slice(0, 200), column: index + 1 }));
  };
  if (trimmed === '' || trimmed.length > maxPathLength) fail();
  while (index < trimmed.length) {
    if (trimmed[index] === '[') {
      const end = bracketEnd(trimmed, index);
      const key = end === undefined ? undefined : bracketKey(trimmed.slice(index + 1, end));
      if (end === undefined || key === undefined) return fail();
      keys.push(key);
      index = end + 1;
    } else {
      if (trimmed[index] === '.') {
        if (keys.length === 0) fail();
        index += 1;
      } else if (keys.length > 0) fail();
      const start = index;
      while (index < trimmed.length && trimmed[index] !== '.' && trimmed[index] !== '[') index += 1;
      if (index === start) fail();
      keys.push(trimmed.slice(start, index));
    }
    if (keys.length > maxKeys) fail();
  }
  return { text: trimmed, keys };
}

/**
 * The value at the path; undefined if there is none. Several values that a query selects are a list. Reads own
 * properties only, so prototype members are never exposed. Throws FlowError with an empty path if a query takes
 * too much work or selects too much.
 */
export function readPath(root: unknown, path: DataPath, budget?: WorkBudget): unknown {
  if (path.query) {
    const { values, hasMore } = path.query.select(root, maxPathResults, budget ?? queryBudget());
    if (hasMore) throw new FlowError('', reason('why.jsonPath.tooMany', { most: maxPathResults }));
    return values.length > 1 ? SelectedList.from(values) : values[0];
  }
  let value = root;
  for (const key of path.keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Index of the `]` that closes the bracket at `start`; a quoted key may contain brackets. */
function bracketEnd(text: string, start: number): number | undefined {
  if (text[start + 1] !== '"') {
    const end = text.indexOf(']', start);
    return end < 0 ? undefined : end;
  }
  for (let index = start + 2; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '"') return text[index + 1] === ']' ? index + 1 : undefined;
  }
  return undefined;
}

function bracketKey(inside: string): string | undefined {
  if (/^\d{1,9}$/.test(inside)) return String(Number(inside));
  if (!inside.startsWith('"')) return undefined;
  try {
    return JSON.parse(inside) as string;
  } catch {
    return undefined;
  }
}
