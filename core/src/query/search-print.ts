// Prints a search tree as text.
import type { Search } from './search-tree.ts';

const comparatorText = { lt: '<', le: '<=', gt: '>', ge: '>=', eq: '=' } as const;

/**
 * Prints a search so that parseSearch returns the same tree. Throws RangeError for an `and` or `or` without
 * items.
 */
export function printSearch(search: Search): string {
  switch (search.op) {
    case 'all':
      return '*';
    case 'and':
    case 'or':
      if (search.items.length === 0) throw new RangeError(`an ${search.op} search without items has no text`);
      return search.items.map(printOperand).join(search.op === 'and' ? ' AND ' : ' OR ');
    case 'not':
      return `NOT ${printOperand(search.item)}`;
    case 'text':
      return prefix(search.field) + printText(search.value);
    case 'like':
      return prefix(search.field) + printPattern(search.pattern);
    case 'present':
      return `${prefix(search.field)}*`;
    case 'compare':
      return prefix(search.field) + comparatorText[search.comparator] + printText(search.value);
    case 'range':
      return (
        prefix(search.field) +
        (search.includesFrom ? '[' : '{') +
        `${printEnd(search.from)} TO ${printEnd(search.to)}` +
        (search.includesTo ? ']' : '}')
      );
    case 'cidr':
      return prefix(search.field) + search.network;
    case 'version':
      return (
        prefix(search.field) +
        printPattern(search.name) +
        comparatorText[search.comparator] +
        printText(search.version)
      );
  }
}

function printOperand(search: Search): string {
  const compound = search.op === 'and' || search.op === 'or';
  return compound ? `(${printSearch(search)})` : printSearch(search);
}

function prefix(field: string | null): string {
  if (field === null) return '';
  // A short hexadecimal name could be parsed as the beginning of an address.
  const start = /^[0-9a-f]{1,4}$/i.test(field) ? '\\' : '';
  return `${start}${field.replace(/[^\p{L}\p{N}_$.-]/gu, '\\$&')}:`;
}

/** Unquoted if unambiguous, otherwise quoted. */
function printText(value: string): string {
  const reserved = value === 'AND' || value === 'OR' || value === 'NOT' || value === 'TO';
  if (!reserved && /^[\p{L}\p{N}_.-]+$/u.test(value)) return value;
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

function printEnd(end: string | null): string {
  return end === null ? '*' : printText(end);
}

function printPattern(pattern: string): string {
  const escaped = pattern.replace(/\\.|[^\p{L}\p{N}_.*?-]/gsu, (found) =>
    found.length > 1 && found.startsWith('\\') ? found : `\\${found}`,
  );
  // A name without wildcards could be parsed as a keyword.
  return /^(?:AND|OR|NOT|TO)$/.test(escaped) ? `\\${escaped}` : escaped;
}
