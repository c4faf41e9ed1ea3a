// Evaluates a search on one node in memory; reference semantics for the database translation.
import ipaddr from 'ipaddr.js';
import { fieldValues } from './field-values.ts';
import { compareText, parseInstant } from './order.ts';
import type { Search, SearchComparator, VersionComparator } from './search-tree.ts';
import { compareVersions } from './version-order.ts';
import { matchesWildcard } from './wildcard.ts';

/**
 * Whether a row matches; `defaults` are the fields for terms without a field. Any value of a list may match.
 * An object with a `name` (a package) is compared by its name, and its `version` is used for version terms.
 */
export function matchesSearch(search: Search, row: unknown, defaults: readonly string[]): boolean {
  switch (search.op) {
    case 'all':
      return true;
    case 'and':
      return search.items.every((item) => matchesSearch(item, row, defaults));
    case 'or':
      return search.items.some((item) => matchesSearch(item, row, defaults));
    case 'not':
      return !matchesSearch(search.item, row, defaults);
    case 'present':
      return fieldValues(row, search.field).some((value) => value !== null && value !== '');
    case 'version':
      return fieldValues(row, search.field).some((value) => {
        const item = value as { name?: unknown; version?: unknown } | null;
        if (typeof item?.name !== 'string' || typeof item.version !== 'string') return false;
        if (!matchesWildcard(search.name, item.name)) return false;
        return matchesComparator(compareVersions(item.version, search.version), search.comparator);
      });
  }
  const fields = search.field === null ? defaults : [search.field];
  return fields.some((field) => fieldValues(row, field).some((value) => matchesTerm(search, textOf(value))));
}

type PlainTerm = Extract<Search, { op: 'text' | 'like' | 'compare' | 'range' | 'cidr' }>;

function matchesTerm(term: PlainTerm, found: string | undefined): boolean {
  if (found === undefined) return false;
  switch (term.op) {
    case 'text':
      return term.field === null
        ? found.toLowerCase().includes(term.value.toLowerCase())
        : found.toLowerCase() === term.value.toLowerCase();
    case 'like':
      return matchesWildcard(term.pattern, found);
    case 'cidr':
      return isInside(found, term.network);
    case 'compare':
      return ordered(found, term.value, term.comparator);
    case 'range':
      return (
        (term.from === null || ordered(found, term.from, term.includesFrom ? 'ge' : 'gt')) &&
        (term.to === null || ordered(found, term.to, term.includesTo ? 'le' : 'lt'))
      );
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const name = (value as { name?: unknown } | null)?.name;
  return typeof name === 'string' ? name : undefined;
}

function ordered(found: string, wanted: string, comparator: SearchComparator): boolean {
  const order = compareLoosely(found, wanted);
  return order !== undefined && matchesComparator(order, comparator);
}

function matchesComparator(order: number, comparator: VersionComparator): boolean {
  if (comparator === 'lt') return order < 0;
  if (comparator === 'le') return order <= 0;
  if (comparator === 'gt') return order > 0;
  return comparator === 'ge' ? order >= 0 : order === 0;
}

/**
 * The wanted bound determines the order: a number compares with numbers, an address with addresses of its
 * family, a date or date-time with instants (a date is its first moment in UTC), any other text by code
 * point. Other combinations have no order.
 */
function compareLoosely(found: string, wanted: string): number | undefined {
  const number = parseNumber(wanted);
  if (number !== undefined) {
    const value = parseNumber(found);
    return value === undefined ? undefined : value - number;
  }
  const address = parseAddress(wanted);
  if (address !== undefined) {
    const value = parseAddress(found);
    return value?.length === address.length ? compareBytes(value, address) : undefined;
  }
  const instant = parseDate(wanted);
  if (instant !== undefined) {
    const value = parseDate(found);
    return value === undefined ? undefined : value - instant;
  }
  return compareText(found, wanted);
}

/** The number that a text represents; undefined for any other text. */
export function parseNumber(text: string): number | undefined {
  return /^-?\d{1,300}(\.\d{1,300})?$/.test(text) ? Number(text) : undefined;
}

/** Milliseconds since 1970 of a date or date-time. */
export function parseDate(text: string): number | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseInstant(`${text}T00:00:00Z`) : parseInstant(text);
}

/** The bytes of an IPv4 or IPv6 address. */
export function parseAddress(text: string): number[] | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).toByteArray();
  return text.includes(':') && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text).toByteArray() : undefined;
}

function compareBytes(a: number[], b: number[]): number {
  const index = a.findIndex((byte, position) => byte !== b[position]);
  return index < 0 ? 0 : a[index]! - b[index]!;
}

/** The bytes and the prefix length of a network in CIDR form. */
export function parseNetwork(text: string): { base: number[]; size: number } | undefined {
  const [, address, digits] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const base = address === undefined ? undefined : parseAddress(address);
  const size = Number(digits);
  return base && size <= base.length * 8 ? { base, size } : undefined;
}

/** Whether an address, or a whole network in CIDR form, lies in the network. */
function isInside(found: string, network: string): boolean {
  const part = parseNetwork(found);
  const address = part?.base ?? parseAddress(found);
  const whole = parseNetwork(network);
  if (!address || !whole || address.length !== whole.base.length) return false;
  const { base: start, size: bits } = whole;
  if (part && part.size < bits) return false;
  return address.every((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8));
    return byte >> (8 - kept) === start[index]! >> (8 - kept);
  });
}
