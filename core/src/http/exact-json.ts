// Single-pass JSON parser with limits on size and depth that can keep every digit of numbers.
import type { why as words } from '../i18n/en/why.ts';

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const maxDepth = 500;
/** Maximum number of characters in a number, because parsing a longer one is slow. */
export const maxNumberLength = 1000;

/** A JSON number as its digits. Throws SyntaxError for anything else. */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    if (!numberForm.test(digits)) throw new SyntaxError('not a JSON number');
    this.digits = digits;
  }

  /** The nearest double, for drawing and comparing. */
  valueOf(): number {
    return Number(this.digits);
  }

  toString(): string {
    return this.digits;
  }
}

/** What is wrong with a text, as the key of a message and its parameters; `column` counts characters from 1. */
export interface JsonFault {
  word: Extract<keyof typeof words, `why.json.${string}`>;
  params?: Readonly<Record<string, unknown>>;
}

/** The text is not JSON. */
export class JsonError extends SyntaxError {
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super(fault.word);
    this.fault = fault;
  }
}

/** JSON that is well-formed so far but exceeds a limit. */
export class JsonTooLargeError extends JsonError {}

export interface JsonLimits {
  /**
   * Fields whose numbers become ExactNumber; `all` for every number, `lossy` for those that a double cannot
   * hold, none if absent.
   */
  exact?: readonly string[] | 'all' | 'lossy' | undefined;
  /** Maximum nesting of objects and arrays. */
  maxDepth?: number;
  /** Maximum number of values and member names in total. */
  maxValues?: number;
  /** Counts the values and member names of several texts together; zero before the first. */
  counter?: { values: number };
}

/**
 * Parses JSON like JSON.parse in a single pass that stops when a limit is exceeded. Throws JsonError, or
 * JsonTooLargeError for a limit.
 */
export function parseJson(text: string, bounds: JsonLimits = {}): unknown {
  return new JsonReader(text, bounds).document();
}

/**
 * Parses JSON; numbers directly under the named fields, or all numbers if no fields are given, become
 * ExactNumber. Throws JsonError.
 */
export function parseExactJson(text: string, fields?: readonly string[]): unknown {
  return parseJson(text, { exact: fields ?? 'all' });
}

/** Serializes like JSON.stringify, with the exact digits of an ExactNumber. */
export function printExactJson(value: unknown): string {
  return printValue(value, 0) ?? 'null';
}

const quote = 0x22;
const backslash = 0x5c;
const zero = 0x30;
const minus = 0x2d;
const point = 0x2e;
const lowerE = 0x65;
const upperE = 0x45;

/** Numbers up to this length without an exponent have at most 15 digits, which a double always holds. */
const maxSafeLength = 15;

class JsonReader {
  private readonly text: string;
  private readonly exact: ReadonlySet<string> | 'all' | 'lossy';
  private readonly maxDepth: number;
  private readonly maxValues: number;
  private readonly counter: { values: number };
  private readonly number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  private at = 0;

  constructor(text: string, bounds: JsonLimits) {
    this.text = text;
    this.exact = typeof bounds.exact === 'string' ? bounds.exact : new Set(bounds.exact);
    this.maxDepth = bounds.maxDepth ?? maxDepth;
    this.maxValues = bounds.maxValues ?? Number.POSITIVE_INFINITY;
    this.counter = bounds.counter ?? { values: 0 };
  }

  document(): unknown {
    const value = this.value(0, this.exact === 'all');
    this.skipBlanks();
    if (this.at < this.text.length) throw this.unexpected();
    return value;
  }

  private value(depth: number, isExact: boolean): unknown {
    this.count();
    this.skipBlanks();
    switch (this.text[this.at]) {
      case '{':
        return this.object(depth + 1);
      case '[':
        return this.list(depth + 1);
      case '"':
        return this.string();
      case 't':
        return this.literal('true', true);
      case 'f':
        return this.literal('false', false);
      case 'n':
        return this.literal('null', null);
      default: {
        const integer = isExact ? undefined : this.integer();
        if (integer !== undefined) return integer;
        const digits = this.digits();
        if (isExact) return new ExactNumber(digits);
        return this.exact === 'lossy' ? toNumberUnlessLossy(digits) : Number(digits);
      }
    }
  }

  private object(depth: number): Record<string, unknown> {
    this.enter(depth);
    const found: Record<string, unknown> = {};
    if (this.takes('}')) return found;
    do {
      this.skipBlanks();
      if (this.text.charCodeAt(this.at) !== quote) throw this.unexpected();
      this.count();
      const name = this.string();
      if (!this.takes(':')) throw this.unexpected();
      const value = this.value(depth, this.isExactField(name));
      // Assigning this name would set the prototype instead of a member.
      if (name === '__proto__') {
        const own = { value, writable: true, enumerable: true, configurable: true };
        Object.defineProperty(found, name, own);
      } else found[name] = value;
    } while (this.takes(','));
    if (!this.takes('}')) throw this.unexpected();
    return found;
  }

  private list(depth: number): unknown[] {
    this.enter(depth);
    const found: unknown[] = [];
    if (this.takes(']')) return found;
    do found.push(this.value(depth, this.exact === 'all'));
    while (this.takes(','));
    if (!this.takes(']')) throw this.unexpected();
    return found;
  }

  private isExactField(name: string): boolean {
    return typeof this.exact === 'string' ? this.exact === 'all' : this.exact.has(name);
  }

  private enter(depth: number): void {
    if (depth > this.maxDepth) throw tooLarge('why.json.depth', { most: this.maxDepth });
    this.at += 1;
  }

  private string(): string {
    const { text } = this;
    const start = this.at;
    let isPlain = true;
    for (let at = start + 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        this.at = at + 1;
        // Strings with escapes are left to JSON.parse, which rejects invalid ones.
        return isPlain ? text.slice(start + 1, at) : JSON.parse(text.slice(start, at + 1));
      }
      if (code === backslash) {
        isPlain = false;
        at += 1;
      } else if (code < 0x20) throw this.unexpected(at);
    }
    throw this.unexpected(text.length);
  }

  /** An integer that a double holds, read without making a text of it; undefined for any other number. */
  private integer(): number | undefined {
    const { text } = this;
    const isNegative = text.charCodeAt(this.at) === minus;
    const start = this.at + (isNegative ? 1 : 0);
    let at = start;
    let value = 0;
    for (; at - start <= maxSafeLength; at++) {
      const digit = text.charCodeAt(at) - zero;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    const length = at - start;
    if (length === 0 || length > maxSafeLength || (length > 1 && text.charCodeAt(start) === zero))
      return undefined;
    const next = text.charCodeAt(at);
    if (next === point || next === lowerE || next === upperE) return undefined;
    this.at = at;
    return isNegative ? -value : value;
  }

  private digits(): string {
    this.number.lastIndex = this.at;
    if (!this.number.test(this.text)) throw this.unexpected();
    const start = this.at;
    this.at = this.number.lastIndex;
    if (this.at - start > maxNumberLength)
      throw tooLarge('why.json.number', { most: maxNumberLength, column: start + 1 });
    return this.text.slice(start, this.at);
  }

  private literal<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw this.unexpected();
    this.at += word.length;
    return value;
  }

  private count(): void {
    this.counter.values += 1;
    if (this.counter.values > this.maxValues) throw tooLarge('why.json.values', { most: this.maxValues });
  }

  private takes(sign: string): boolean {
    this.skipBlanks();
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  private skipBlanks(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at += 1;
    }
  }

  private unexpected(at = this.at): JsonError {
    const found = this.text[at];
    if (found === undefined) return new JsonError({ word: 'why.json.end' });
    const params = { found: JSON.stringify(found), column: at + 1 };
    return new JsonError({ word: 'why.json.character', params });
  }
}

const tooLarge = (word: JsonFault['word'], params: Record<string, number>) =>
  new JsonTooLargeError({ word, params });

/** The number as a double if that has the same value, otherwise an ExactNumber. */
function toNumberUnlessLossy(digits: string): number | ExactNumber {
  const number = Number(digits);
  return hasValueOf(number, digits) ? number : new ExactNumber(digits);
}

/** A double holds every decimal of at most this many significant digits within `normalRange`. */
const maxHeldDigits = 15;
const normalRange = { min: 1e-290, max: 1e290 };
/** The shortest text of a double has at most this many significant digits. */
const maxShownDigits = 17;

/** Whether a double, read from these digits, has exactly their value. Avoids a text of it where possible. */
function hasValueOf(number: number, digits: string): boolean {
  const size = Math.abs(number);
  if (size === Number.POSITIVE_INFINITY) return false;
  const given = readDecimal(digits);
  if (given.count === 0) return true;
  if (given.count <= maxHeldDigits && size >= normalRange.min && size <= normalRange.max) return true;
  if (given.count > maxShownDigits) return false;
  const text = String(number);
  const held = readDecimal(text);
  if (held.count !== given.count || held.power !== given.power) return false;
  for (let at = held.first, other = given.first, left = held.count; left > 0; left--, at++, other++) {
    if (text.charCodeAt(at) === point) at++;
    if (digits.charCodeAt(other) === point) other++;
    if (text.charCodeAt(at) !== digits.charCodeAt(other)) return false;
  }
  return true;
}

/** Position of the first significant digit, its power of ten, and the number of significant digits. */
interface Decimal {
  first: number;
  power: number;
  count: number;
}

function readDecimal(digits: string): Decimal {
  let first = -1;
  let last = -1;
  let pointAt = -1;
  let at = 0;
  for (; at < digits.length; at++) {
    const code = digits.charCodeAt(at);
    if (code === lowerE || code === upperE) break;
    if (code === point) pointAt = at;
    else if (code !== zero && code !== minus) {
      if (first < 0) first = at;
      last = at;
    }
  }
  if (first < 0) return { first, power: 0, count: 0 };
  const exponent = at < digits.length ? Number(digits.slice(at + 1)) : 0;
  const whole = pointAt < 0 ? at : pointAt;
  const hasPointWithin = first < pointAt && pointAt < last;
  return {
    first,
    power: exponent + whole - first - (first < whole ? 1 : 0),
    count: last - first + (hasPointWithin ? 0 : 1),
  };
}

function printValue(value: unknown, depth: number): string | undefined {
  if (depth > maxDepth) throw new RangeError(`value is nested deeper than ${maxDepth}`);
  if (value instanceof ExactNumber) return value.digits;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return printValue(value.toJSON(), depth + 1);
  if (Array.isArray(value))
    return `[${value.map((item) => printValue(item, depth + 1) ?? 'null').join(',')}]`;
  const members = Object.entries(value).flatMap(([name, item]) => {
    const printed = printValue(item, depth + 1);
    return printed === undefined ? [] : [`${JSON.stringify(name)}:${printed}`];
  });
  return `{${members.join(',')}}`;
}
