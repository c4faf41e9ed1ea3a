// Parses the search text of managed nodes: words, `field:value`, wildcards, ranges, CIDR, versions, AND OR
// NOT, brackets.
import ipaddr from 'ipaddr.js';
import { QueryError } from './query-error.ts';
import type { Search, VersionComparator } from './search-tree.ts';
import { searchLimits } from './search-tree.ts';
import { wildcardLiteral } from './wildcard.ts';

/**
 * Parses a search. Adjacent terms are joined by AND; AND binds tighter than OR; keywords must be in upper
 * case. An empty text is `all`. Throws QueryError with the position of the first invalid character.
 */
export function parseSearch(text: string): Search {
  if (text.length > searchLimits.length) throw new QueryError(searchLimits.length, 'shorter');
  const reader = new SearchReader(text);
  return reader.whole();
}

interface Word {
  /** Literal text with escapes resolved. */
  text: string;
  /** The same text as a wildcard pattern. */
  pattern: string;
  hasWildcard: boolean;
}

const space = /\s*/y;
const run = /[^\s()"]+/y;
const comparator = /<=|>=|<|>|=/y;
const comparators: Record<string, VersionComparator> = {
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
  '=': 'eq',
};
const macShape = /^(?:[0-9a-f]{2}:){2,5}[0-9a-f]{2}$/i;
const fourParts = /^\d{1,3}(?:\.\d{1,3}){3}$/;

class SearchReader {
  private readonly text: string;
  private at = 0;
  private terms = 0;

  constructor(text: string) {
    this.text = text;
  }

  whole(): Search {
    this.skip();
    if (this.at === this.text.length) return { op: 'all' };
    const search = this.either(null, 0);
    if (this.at < this.text.length) throw new QueryError(this.at, 'end');
    return search;
  }

  private either(field: string | null, depth: number): Search {
    const items = [this.all(field, depth)];
    while (this.keyword('OR')) items.push(this.all(field, depth));
    return items.length === 1 ? items[0]! : { op: 'or', items };
  }

  private all(field: string | null, depth: number): Search {
    const items = [this.one(field, depth)];
    while (this.keyword('AND') || this.startsTerm()) items.push(this.one(field, depth));
    return items.length === 1 ? items[0]! : { op: 'and', items };
  }

  private one(field: string | null, depth: number): Search {
    if (depth > searchLimits.depth) throw new QueryError(this.at, 'shallower');
    if (this.keyword('NOT')) return { op: 'not', item: this.one(field, depth + 1) };
    const start = this.at;
    const next = this.text[start];
    if (next === undefined || next === ')' || !this.startsTerm()) throw new QueryError(start, 'term');
    if (next === '(') return this.bracketed(field, depth);
    this.terms += 1;
    if (this.terms > searchLimits.terms) throw new QueryError(start, 'fewer-terms');
    const found = field === null ? this.term(depth) : this.value(field, depth);
    this.skip();
    return found;
  }

  private bracketed(field: string | null, depth: number): Search {
    this.at += 1;
    this.skip();
    const inner = this.either(field, depth + 1);
    if (this.text[this.at] !== ')') throw new QueryError(this.at, 'closing-bracket');
    this.at += 1;
    this.skip();
    return inner;
  }

  /** A term with an optional field name. */
  private term(depth: number): Search {
    const start = this.at;
    const raw = this.peek();
    if (raw === undefined) {
      const value = this.quoted();
      if (value === '') throw new QueryError(start, 'term');
      return { op: 'text', field: null, value };
    }
    const colon = isAddress(raw) ? -1 : unescapedIndex(raw, ':');
    if (colon < 0) return this.bare(start, raw);
    const field = this.word(start + colon, /[*?<>=[\]{}]/, 'field');
    if (field.text === '') throw new QueryError(start, 'field');
    this.at += 1;
    return this.value(field.text, depth);
  }

  private bare(start: number, raw: string): Search {
    if (raw === '*') {
      this.at += 1;
      return { op: 'all' };
    }
    const network = this.network(start, raw);
    if (network !== undefined) return { op: 'cidr', field: null, network };
    const word = this.word(start + raw.length, /[<>[\]{}]/, 'field');
    if (word.hasWildcard) return { op: 'like', field: null, pattern: word.pattern };
    return { op: 'text', field: null, value: word.text };
  }

  /** The value after `field:`. */
  private value(field: string, depth: number): Search {
    const next = this.text[this.at];
    if (next === '(') return this.bracketed(field, depth + 1);
    if (next === '[' || next === '{') return this.range(field);
    if (next === '"') return this.named(field, literal(this.quoted()));
    const raw = this.peek();
    if (raw === undefined) throw new QueryError(this.at, 'value');
    const sign = this.comparator();
    if (sign === 'eq') return { op: 'text', field, value: this.operand() };
    if (sign !== undefined) return { op: 'compare', field, comparator: sign, value: this.operand() };
    const network = this.network(this.at, raw);
    if (network !== undefined) return { op: 'cidr', field, network };
    const end = this.at + raw.length;
    const cut = ['<', '>', '='].map((mark) => unescapedIndex(raw, mark)).filter((index) => index >= 0);
    return this.named(field, this.word(cut.length === 0 ? end : this.at + Math.min(...cut)));
  }

  /** A value, or the name of an item whose version is compared. */
  private named(field: string, word: Word): Search {
    const sign = this.comparator();
    if (sign !== undefined) {
      return { op: 'version', field, name: word.pattern, comparator: sign, version: this.operand() };
    }
    if (word.pattern === '*') return { op: 'present', field };
    if (word.hasWildcard) return { op: 'like', field, pattern: word.pattern };
    return { op: 'text', field, value: word.text };
  }

  /** The literal after a comparator. */
  private operand(): string {
    if (this.text[this.at] === '"') return this.quoted();
    const raw = this.peek();
    if (raw === undefined) throw new QueryError(this.at, 'value');
    return this.word(this.at + raw.length, /[*?<>=]/, 'value').text;
  }

  private range(field: string): Search {
    const includesFrom = this.text[this.at] === '[';
    this.at += 1;
    const from = this.rangeEnd();
    if (!/^TO[\s\]}]/.test(this.text.slice(this.at, this.at + 3))) throw new QueryError(this.at, 'range-to');
    this.at += 2;
    const to = this.rangeEnd();
    const close = this.text[this.at];
    if (close !== ']' && close !== '}') throw new QueryError(this.at, 'range-end');
    this.at += 1;
    return { op: 'range', field, from, to, includesFrom, includesTo: close === ']' };
  }

  private rangeEnd(): string | null {
    this.skip();
    const start = this.at;
    let end: string | null;
    if (this.text[start] === '"') end = this.quoted();
    else {
      const raw = /^[^\s()"[\]{}]*/.exec(this.text.slice(start))![0];
      if (raw === '' || raw === 'TO') throw new QueryError(start, 'value');
      end = raw === '*' ? null : this.word(start + raw.length, /[*?]/, 'value').text;
      this.at = start + raw.length;
    }
    this.skip();
    return end;
  }

  /** Reads up to `end` and resolves escapes; an unescaped `refused` character is an error. */
  private word(end: number, refused?: RegExp, expected: 'field' | 'value' = 'value'): Word {
    const word: Word = { text: '', pattern: '', hasWildcard: false };
    while (this.at < end) {
      let character = this.text[this.at]!;
      const escaped = character === '\\';
      if (escaped) {
        this.at += 1;
        if (this.at >= this.text.length) throw new QueryError(this.at, 'value');
        character = this.text[this.at]!;
      } else if (refused?.test(character)) throw new QueryError(this.at, expected);
      const wildcard = !escaped && (character === '*' || character === '?');
      word.text += character;
      word.pattern += wildcard ? character : wildcardLiteral(character);
      word.hasWildcard ||= wildcard;
      this.at += 1;
    }
    return word;
  }

  private quoted(): string {
    let value = '';
    this.at += 1;
    while (this.text[this.at] !== '"') {
      if (this.text[this.at] === '\\') this.at += 1;
      if (this.at >= this.text.length) throw new QueryError(this.text.length, 'string-end');
      value += this.text[this.at];
      this.at += 1;
    }
    this.at += 1;
    return value;
  }

  private network(start: number, raw: string): string | undefined {
    const slash = raw.indexOf('/');
    const address = raw.slice(0, slash);
    if (slash < 0 || (!fourParts.test(address) && !ipaddr.IPv6.isValid(address))) return undefined;
    if (!/^\d{1,3}$/.test(raw.slice(slash + 1)) || !isAddressText(address) || !ipaddr.isValidCIDR(raw))
      throw new QueryError(start, 'cidr');
    this.at = start + raw.length;
    const size = Number(raw.slice(slash + 1));
    const kind = fourParts.test(address) ? ipaddr.IPv4 : ipaddr.IPv6;
    return `${kind.networkAddressFromCIDR(raw).toString()}/${size}`;
  }

  private comparator(): VersionComparator | undefined {
    comparator.lastIndex = this.at;
    const found = comparator.exec(this.text)?.[0];
    if (found === undefined) return undefined;
    this.at += found.length;
    return comparators[found];
  }

  /** The characters up to the next space, bracket or quote; escaped ones are included. */
  private peek(): string | undefined {
    let end = this.at;
    while (end < this.text.length) {
      run.lastIndex = end;
      const found = run.exec(this.text)?.[0];
      if (found === undefined) break;
      end += found.length;
      const slashes = /\\*$/.exec(found)![0].length;
      if (slashes % 2 === 0 || end >= this.text.length) break;
      end += 1;
    }
    return end === this.at ? undefined : this.text.slice(this.at, end);
  }

  private startsTerm(): boolean {
    if (this.at >= this.text.length || this.text[this.at] === ')') return false;
    const raw = this.peek();
    return raw !== 'AND' && raw !== 'OR';
  }

  private keyword(wanted: 'AND' | 'OR' | 'NOT'): boolean {
    if (this.peek() !== wanted) return false;
    this.at += wanted.length;
    this.skip();
    return true;
  }

  private skip(): void {
    space.lastIndex = this.at;
    this.at += space.exec(this.text)![0].length;
  }
}

/** Addresses contain colons: a full or partial MAC, IPv6, IPv6 with a prefix length. */
function isAddress(raw: string): boolean {
  if (macShape.test(raw)) return true;
  // Cheap check first: almost every word fails it.
  if (!/^[0-9a-f:.]*:[0-9a-f:.]*(?:\/\d{0,3})?$/i.test(raw)) return false;
  return ipaddr.IPv6.isValid(raw.split('/', 1)[0]!);
}

function isAddressText(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

function unescapedIndex(raw: string, mark: string): number {
  for (let index = 0; index < raw.length; index += 1) {
    if (raw[index] === '\\') index += 1;
    else if (raw[index] === mark) return index;
  }
  return -1;
}

function literal(text: string): Word {
  return { text, pattern: wildcardLiteral(text), hasWildcard: false };
}
