// List filters: SCIM grammar (RFC 7644, 3.4.2.2) over dotted paths, with parser, printer and in-memory
// evaluation.
import { fieldValues } from './field-values.ts';
import { compareText, parseInstant } from './order.ts';
import { QueryError } from './query-error.ts';

export type FilterValue = string | number | boolean | null;
export type TextOperator = 'co' | 'sw' | 'ew';
export type OrderOperator = 'gt' | 'ge' | 'lt' | 'le';
export type ComparisonOperator = 'eq' | 'ne' | TextOperator | OrderOperator;

/**
 * A parsed filter. `and` and `or` have at least two items; brackets become nesting and are never flattened.
 */
export type Filter =
  | { op: 'and' | 'or'; items: Filter[] }
  | { op: 'not'; item: Filter }
  | { op: ComparisonOperator; field: string; value: FilterValue }
  | { op: 'pr'; field: string };

/** Limits of a filter text: UTF-16 units, nested brackets, comparisons. */
export const filterLimits = { length: 8192, depth: 32, terms: 200 } as const;

const operators = new Set<string>(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le']);
const textOperators = new Set<string>(['co', 'sw', 'ew']);
const orderOperators = new Set<string>(['gt', 'ge', 'lt', 'le']);

/** Parses a filter. Throws QueryError with the position of the first invalid character. */
export function parseFilter(text: string): Filter {
  if (text.length > filterLimits.length) throw new QueryError(filterLimits.length, 'shorter');
  const reader = new FilterReader(text);
  const filter = reader.either(0);
  reader.end();
  return filter;
}

/**
 * Prints a filter so that parseFilter returns the same tree. Throws RangeError for an `and` or `or` without
 * items.
 */
export function printFilter(filter: Filter): string {
  switch (filter.op) {
    case 'and':
    case 'or':
      if (filter.items.length === 0) throw new RangeError(`an ${filter.op} filter without items has no text`);
      return filter.items
        .map((item) => (item.op === 'and' || item.op === 'or' ? `(${printFilter(item)})` : printFilter(item)))
        .join(` ${filter.op} `);
    case 'not':
      return `not (${printFilter(filter.item)})`;
    case 'pr':
      return `${filter.field} pr`;
    default:
      return `${filter.field} ${filter.op} ${JSON.stringify(filter.value)}`;
  }
}

/**
 * Whether a row matches. Any value of a list may match, and `ne` is the negation of `eq`; a missing field
 * equals null; `co sw ew` ignore case, `eq` does not; date-times compare by instant, other text by code
 * point; values of different types are never equal and have no order.
 */
export function matchesFilter(filter: Filter, row: unknown): boolean {
  switch (filter.op) {
    case 'and':
      return filter.items.every((item) => matchesFilter(item, row));
    case 'or':
      return filter.items.some((item) => matchesFilter(item, row));
    case 'not':
      return !matchesFilter(filter.item, row);
    case 'pr':
      return fieldValues(row, filter.field).some(isPresent);
    case 'eq':
      return equalsAny(fieldValues(row, filter.field), filter.value);
    case 'ne':
      return !equalsAny(fieldValues(row, filter.field), filter.value);
    default: {
      const { op, value } = filter;
      return fieldValues(row, filter.field).some((found) => matchesOrder(op, found, value));
    }
  }
}

/** Fields used by a filter, each once, in order of appearance. */
export function filterFields(filter: Filter): string[] {
  const fields = new Set<string>();
  const visit = (part: Filter): void => {
    if ('items' in part) part.items.forEach(visit);
    else if ('item' in part) visit(part.item);
    else fields.add(part.field);
  };
  visit(filter);
  return [...fields];
}

function isPresent(value: unknown): boolean {
  if (value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function equalsAny(found: unknown[], value: FilterValue): boolean {
  if (value === null) return found.every((item) => item === null);
  return found.some((item) => equals(item, value));
}

function equals(found: unknown, value: FilterValue): boolean {
  if (found === value) return true;
  if (typeof found !== 'string' || typeof value !== 'string') return false;
  const instant = parseInstant(value);
  return instant !== undefined && parseInstant(found) === instant;
}

function matchesOrder(op: TextOperator | OrderOperator, found: unknown, value: FilterValue): boolean {
  if (op === 'co' || op === 'sw' || op === 'ew') {
    if (typeof found !== 'string' || typeof value !== 'string') return false;
    const text = found.toLowerCase();
    const part = value.toLowerCase();
    if (op === 'co') return text.includes(part);
    return op === 'sw' ? text.startsWith(part) : text.endsWith(part);
  }
  const order = compare(found, value);
  if (order === undefined) return false;
  if (op === 'gt') return order > 0;
  if (op === 'ge') return order >= 0;
  return op === 'lt' ? order < 0 : order <= 0;
}

function compare(found: unknown, value: FilterValue): number | undefined {
  if (typeof found === 'number' && typeof value === 'number') return found - value;
  if (typeof found !== 'string' || typeof value !== 'string') return undefined;
  const left = parseInstant(found);
  const right = parseInstant(value);
  return left !== undefined && right !== undefined ? left - right : compareText(found, value);
}

const space = /[ \t\r\n]*/y;
const path = /[A-Za-z_$][\w$-]*(?:\.[\w$-]+)*/y;
const word = /[A-Za-z]+(?![\w$.-])/y;
const string = /"(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literals: Record<string, boolean | null> = { true: true, false: false, null: null };

class FilterReader {
  private readonly text: string;
  private at = 0;
  private terms = 0;

  constructor(text: string) {
    this.text = text;
    this.skip();
  }

  either(depth: number): Filter {
    return this.joined('or', () => this.joined('and', () => this.one(depth)));
  }

  end(): void {
    if (this.at < this.text.length)
      throw new QueryError(this.at, this.text[this.at] === ')' ? 'end' : 'connective');
  }

  private joined(op: 'and' | 'or', next: () => Filter): Filter {
    const first = next();
    const items = [first];
    while (this.keyword(op)) items.push(next());
    return items.length === 1 ? first : { op, items };
  }

  private one(depth: number): Filter {
    if (depth > filterLimits.depth) throw new QueryError(this.at, 'shallower');
    if (this.text[this.at] === '(') return this.bracketed(depth);
    const start = this.at;
    const field = this.take(path);
    if (field === undefined) throw new QueryError(start, 'field');
    if (field.toLowerCase() === 'not' && this.text[this.at] === '(') {
      return { op: 'not', item: this.bracketed(depth) };
    }
    this.terms += 1;
    if (this.terms > filterLimits.terms) throw new QueryError(start, 'fewer-terms');
    return this.comparison(field);
  }

  private bracketed(depth: number): Filter {
    this.at += 1;
    this.skip();
    const inner = this.either(depth + 1);
    if (this.text[this.at] !== ')') {
      throw new QueryError(this.at, this.at < this.text.length ? 'connective' : 'closing-bracket');
    }
    this.at += 1;
    this.skip();
    return inner;
  }

  private comparison(field: string): Filter {
    const start = this.at;
    const op = this.take(word)?.toLowerCase();
    if (op === 'pr') return { op, field };
    if (op === undefined || !operators.has(op)) throw new QueryError(start, 'operator');
    const valueAt = this.at;
    const value = this.value();
    if (textOperators.has(op) && typeof value !== 'string') throw new QueryError(valueAt, 'text-value');
    if (orderOperators.has(op) && typeof value !== 'string' && typeof value !== 'number') {
      throw new QueryError(valueAt, 'ordered-value');
    }
    return { op: op as ComparisonOperator, field, value };
  }

  private value(): FilterValue {
    const start = this.at;
    if (this.text[start] === '"') return this.string(start);
    const digits = this.take(number);
    if (digits !== undefined) {
      const value = Number(digits);
      if (!Number.isFinite(value)) throw new QueryError(start, 'number-in-range');
      return value;
    }
    const literal = this.take(word)?.toLowerCase();
    if (literal === undefined || !Object.hasOwn(literals, literal)) throw new QueryError(start, 'value');
    return literals[literal]!;
  }

  private string(start: number): string {
    string.lastIndex = start;
    const end = start + string.exec(this.text)![0].length;
    if (end >= this.text.length) throw new QueryError(end, 'string-end');
    if (this.text[end] !== '"') throw new QueryError(end, 'string-escape');
    this.at = end + 1;
    this.skip();
    return JSON.parse(this.text.slice(start, end + 1)) as string;
  }

  /** Consumes `and` or `or` if it is the next whole word. */
  private keyword(op: 'and' | 'or'): boolean {
    word.lastIndex = this.at;
    const found = word.exec(this.text)?.[0];
    if (found?.toLowerCase() !== op) return false;
    this.at += found.length;
    this.skip();
    return true;
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return undefined;
    this.at += found.length;
    this.skip();
    return found;
  }

  private skip(): void {
    space.lastIndex = this.at;
    this.at += space.exec(this.text)![0].length;
  }
}
