// Computes the differences between two states of an item, field by field.
import type { Fields } from './plan-item.ts';

export interface FieldChange {
  /** Dotted path. */
  path: string;
  /** Undefined if the field did not exist. */
  before: unknown;
  after: unknown;
}

/** Equality as JSON: ignores the order of members, and treats an undefined member as absent. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a))
    return a.length === (b as unknown[]).length && a.every((one, at) => sameValue(one, (b as unknown[])[at]));
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => sameValue(member(a, name), member(b, name)));
}

/**
 * Whether an item still has the fields known to a plan; fields that the plan does not know must be empty,
 * because the space fills them with defaults.
 */
export function matchesKnown(now: Fields, known: Fields): boolean {
  return [...new Set([...Object.keys(now), ...Object.keys(known)])].every((name) =>
    Object.hasOwn(known, name) ? sameValue(member(now, name), known[name]) : isEmpty(now[name]),
  );
}

export function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === undefined || value === '';
}

/**
 * Changes from one state to the other in the order of the later state; objects are compared by member, lists
 * as a whole.
 */
export function fieldChanges(before: Fields, after: Fields, base = ''): FieldChange[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names].flatMap((name): FieldChange[] => {
    const path = base === '' ? name : `${base}.${name}`;
    const was = member(before, name);
    const is = member(after, name);
    if (sameValue(was, is)) return [];
    if (isOpen(was) && isOpen(is)) return fieldChanges(was, is, path);
    return [{ path, before: was, after: is }];
  });
}

function member(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Fields)[name] : undefined;
}

function isOpen(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
