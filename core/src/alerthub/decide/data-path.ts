// Dotted paths into the data of a message: `message.content.data.alerts.0.labels["a.b"]`.
import { FlowError } from './flow-error.ts';
import { reason } from './reason.ts';

/** A path as it was written and the keys it goes through, outermost first. */
export interface DataPath {
  text: string;
  keys: readonly string[];
}

const maxCharacters = 512;
const maxKeys = 64;

/** Reads a path; keys with dots or odd characters stand in brackets as a JSON string. Throws FlowError with an empty path. */
export function parsePath(text: string): DataPath {
  const trimmed = text.trim();
  const keys: string[] = [];
  let at = 0;
  const refuse = (): never => {
    throw new FlowError('', reason('why.path.bad', { path: trimmed.slice(0, 200), column: at + 1 }));
  };
  if (trimmed === '' || trimmed.length > maxCharacters) refuse();
  while (at < trimmed.length) {
    if (trimmed[at] === '[') {
      const end = bracketEnd(trimmed, at);
      const key = end === undefined ? undefined : bracketKey(trimmed.slice(at + 1, end));
      if (end === undefined || key === undefined) return refuse();
      keys.push(key);
      at = end + 1;
    } else {
      if (trimmed[at] === '.') {
        if (keys.length === 0) refuse();
        at += 1;
      } else if (keys.length > 0) refuse();
      const start = at;
      while (at < trimmed.length && trimmed[at] !== '.' && trimmed[at] !== '[') at += 1;
      if (at === start) refuse();
      keys.push(trimmed.slice(start, at));
    }
    if (keys.length > maxKeys) refuse();
  }
  return { text: trimmed, keys };
}

/** The value at the path, undefined when there is none. Only own properties count, so prototype members are never seen. */
export function readPath(root: unknown, path: DataPath): unknown {
  let value = root;
  for (const key of path.keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Index of the `]` that closes the bracket at `start`; a quoted key may hold brackets. */
function bracketEnd(text: string, start: number): number | undefined {
  if (text[start + 1] !== '"') {
    const end = text.indexOf(']', start);
    return end < 0 ? undefined : end;
  }
  for (let at = start + 2; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return text[at + 1] === ']' ? at + 1 : undefined;
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
