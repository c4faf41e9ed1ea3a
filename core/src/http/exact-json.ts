// JSON whose numbers keep every digit from wire to wire, for positions that a double would round (spec section 3).

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const stringOrNumber = /"([^"\\]*(?:\\.[^"\\]*)*)"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const maxDepth = 500;

/** A JSON number as its digits. Throws a SyntaxError for anything that is not a JSON number. */
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

/** Parses JSON; numbers right under the named fields, or all when none are named, become ExactNumber. Throws SyntaxError. */
export function parseExact(text: string, fields?: readonly string[]): unknown {
  JSON.parse(text);
  // Valid from here on. Numbers travel through the parser as strings; a first letter tells them from strings.
  const marked = text.replace(stringOrNumber, (all, content: string | undefined) =>
    content === undefined ? `"n${all}"` : `"s${content}"`,
  );
  const wanted = fields && new Set(fields);
  return unmark(JSON.parse(marked), (field) => !wanted || (field !== undefined && wanted.has(field)), 0);
}

/** Prints JSON like JSON.stringify, with ExactNumber as its very digits. */
export function printExact(value: unknown): string {
  return print(value, 0) ?? 'null';
}

function unmark(
  value: unknown,
  isExact: (field?: string) => boolean,
  depth: number,
  field?: string,
): unknown {
  if (depth > maxDepth) throw new SyntaxError(`JSON is nested deeper than ${maxDepth}`);
  if (typeof value === 'string') {
    const content = value.slice(1);
    if (value[0] === 's') return content;
    return isExact(field) ? new ExactNumber(content) : Number(content);
  }
  if (Array.isArray(value)) return value.map((item) => unmark(item, isExact, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([marked, item]) => {
      const name = marked.slice(1);
      return [name, unmark(item, isExact, depth + 1, name)];
    }),
  );
}

function print(value: unknown, depth: number): string | undefined {
  if (depth > maxDepth) throw new RangeError(`value is nested deeper than ${maxDepth}`);
  if (value instanceof ExactNumber) return value.digits;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return print(value.toJSON(), depth + 1);
  if (Array.isArray(value)) return `[${value.map((item) => print(item, depth + 1) ?? 'null').join(',')}]`;
  const members = Object.entries(value).flatMap(([name, item]) => {
    const printed = print(item, depth + 1);
    return printed === undefined ? [] : [`${JSON.stringify(name)}:${printed}`];
  });
  return `{${members.join(',')}}`;
}
