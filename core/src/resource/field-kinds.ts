// The kinds of fields, and what holds for every value of a kind. A new kind is a line here; the compiler then
// names every table that needs one as well.

/** How a list compares and sorts the values of a column. */
export type ColumnType = 'text' | 'number' | 'boolean' | 'date' | 'time' | 'uuid';

interface KindTraits {
  /** How a value is written as one text; `secret` never is, `json` needs a structure. */
  written: 'text' | 'number' | 'boolean' | 'secret' | 'json';
  column: ColumnType;
  /** Whether lists can filter and sort by the field, unless its descriptor names the fields itself. */
  scalar: boolean;
  /** Text that users compose: on one line, or on several. */
  prose?: 'line' | 'lines';
  /** Too short to be cut in a table. */
  short?: boolean;
  /** Aligned at the right of a column. */
  right?: boolean;
}

const text = { written: 'text', column: 'text', scalar: true } as const;
const number = { written: 'number', column: 'number', scalar: true } as const;
const json = { written: 'json', column: 'text', scalar: false } as const;

export const kindTraits = {
  id: { ...text, column: 'uuid' },
  text: { ...text, prose: 'line' },
  'long-text': { ...text, scalar: false, prose: 'lines' },
  /** A Mustache template. */
  template: { ...text, scalar: false, prose: 'lines' },
  email: { ...text, prose: 'line' },
  url: { ...text, prose: 'line' },
  integer: { ...number, short: true, right: true },
  number: { ...number, short: true, right: true },
  boolean: { written: 'boolean', column: 'boolean', scalar: true, short: true },
  choice: { ...text, short: true },
  /** A day without a time and a zone, `YYYY-MM-DD`. */
  date: { ...text, column: 'date', short: true },
  'date-time': { ...text, column: 'time', short: true },
  /** A duration in whole seconds. */
  seconds: number,
  bytes: { ...number, short: true, right: true },
  /** The id of another item. */
  reference: { ...text, column: 'uuid' },
  list: json,
  'key-values': json,
  object: json,
  /** An object whose fields depend on a sibling field. */
  variant: json,
  json,
  secret: { written: 'secret', column: 'text', scalar: false },
  rrule: text,
  'time-zone': text,
} as const satisfies Record<string, KindTraits>;

export type FieldKind = keyof typeof kindTraits;

/** The traits of a kind, with those that most kinds lack. */
export function traitsOf(kind: FieldKind): KindTraits {
  return kindTraits[kind];
}
