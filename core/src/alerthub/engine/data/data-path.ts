// Dotted paths into the data of a message: `message.content.data.alerts.0.labels["a.b"]`.

import { reason } from '../errors/decision-reason.ts';
import { FlowError } from '../errors/flow-error.ts';

/** A path as written, and its keys, outermost first. */
export interface DataPath {
  text: string;
  keys: readonly string[];
}

const maxPathLength = 512;
const maxKeys = 64;

/**
 * Parses a path; keys with dots or special characters are written in brackets as a JSON string. Throws
 * FlowError with an empty path.
 */
export function parsePath(text: string): DataPath {
  const trimmed = text.trim();
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
 * The value at the path; undefined if there is none. Reads own properties only, so prototype members are
 * never exposed.
 */
export function readPath(root: unknown, path: DataPath): unknown {
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
