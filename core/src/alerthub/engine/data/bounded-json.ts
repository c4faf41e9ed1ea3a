// Serializes any value to JSON within limits on length and depth, so that the cost of a hostile value is
// bounded.

import { ExactNumber } from '../../../http/exact-json.ts';

const maxDepth = 500;

/** `whole` is false if the value did not fit; `text` is then its beginning. */
export interface BoundedJson {
  text: string;
  isComplete: boolean;
}

/** Like JSON.stringify of plain data, cut off at the maximum length and at depth 500. */
export function boundedJson(value: unknown, max: number): BoundedJson {
  let text = '';
  const add = (piece: string): boolean => {
    text += piece;
    return text.length <= max;
  };
  const addString = (string: string): boolean => {
    const room = max - text.length;
    if (string.length <= room) return add(JSON.stringify(string));
    add(JSON.stringify(string.slice(0, Math.max(room, 0))));
    return false;
  };
  const write = (item: unknown, depth: number): boolean => {
    if (typeof item === 'string') return addString(item);
    if (typeof item === 'number') return add(Number.isFinite(item) ? String(item) : 'null');
    if (typeof item === 'boolean') return add(String(item));
    if (typeof item !== 'object' || item === null) return add('null');
    if (item instanceof ExactNumber) return add(item.digits);
    if (depth >= maxDepth) return false;
    if (Array.isArray(item)) {
      if (!add('[')) return false;
      for (let index = 0; index < item.length; index += 1) {
        if (index > 0 && !add(',')) return false;
        if (!write(item[index], depth + 1)) return false;
      }
      return add(']');
    }
    if (!add('{')) return false;
    let first = true;
    for (const key in item) {
      if (!Object.hasOwn(item, key)) continue;
      const member = (item as Record<string, unknown>)[key];
      if (member === undefined || typeof member === 'function') continue;
      if (!first && !add(',')) return false;
      first = false;
      if (!addString(key) || !add(':') || !write(member, depth + 1)) return false;
    }
    return add('}');
  };
  const isComplete = write(value, 0);
  return { text: text.length > max ? text.slice(0, max) : text, isComplete };
}
