/**
 * Encodes arrays in PostgreSQL's binary format, which avoids the costly quoting and parsing of text arrays.
 */

import { rejectDeepJson } from './pglite/json-depth.ts';

/** Milliseconds from the Unix epoch to PostgreSQL's epoch (2000-01-01). */
const epoch = 946_684_800_000;

interface ElementType<T> {
  oid: number;
  /** Maximum bytes of an encoded value. */
  room(value: T): number;
  /** Writes a value and returns the number of bytes written. */
  write(value: T, into: Buffer, at: number): number;
}

const textElement = (oid: number): ElementType<string> => ({
  oid,
  room: (value) => value.length * 3,
  write: (value, into, at) => into.write(value, at, 'utf8'),
});

const elementTypes = {
  int4: { oid: 23, room: () => 4, write: (value, into, at) => into.writeInt32BE(value, at) - at },
  bool: { oid: 16, room: () => 1, write: (value, into, at) => into.writeUInt8(value ? 1 : 0, at) - at },
  text: textElement(25),
  bytea: { oid: 17, room: (value) => value.length, write: (value, into, at) => value.copy(into, at) },
  uuid: { oid: 2950, room: () => 16, write: writeUuid },
  /** ISO 8601. */
  timestamptz: { oid: 1184, room: () => 8, write: writeTime },
  /** JSON text produced by `storeJson`. */
  jsonb: {
    oid: 3802,
    room: (value) => value.length * 3 + 1,
    write: (value, into, at) => {
      rejectDeepJson([value]);
      into[at] = 1;
      return 1 + into.write(value, at + 1, 'utf8');
    },
  },
} satisfies {
  int4: ElementType<number>;
  bool: ElementType<boolean>;
  text: ElementType<string>;
  bytea: ElementType<Buffer>;
  uuid: ElementType<string>;
  timestamptz: ElementType<string>;
  jsonb: ElementType<string>;
};

type TypeName = keyof typeof elementTypes;
type ValueOf<Name extends TypeName> = Parameters<(typeof elementTypes)[Name]['write']>[0];

const headSize = 20;

/** Encodes a parameter for `$n::type[]`. Text must be valid for storage, see `storeText`. */
function binaryArray<T>(type: ElementType<T>, values: readonly (T | null)[]): Buffer {
  let room = headSize;
  let hasNull = 0;
  for (const value of values) {
    if (value === null) hasNull = 1;
    else room += type.room(value);
    room += 4;
  }
  const bytes = Buffer.allocUnsafe(room);
  bytes.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  bytes.writeInt32BE(hasNull, 4);
  bytes.writeInt32BE(type.oid, 8);
  // An empty array has no dimensions.
  if (values.length === 0) return bytes.subarray(0, 12);
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = headSize;
  let previous: T | null | undefined;
  let previousAt = 0;
  for (const value of values) {
    // Rows of one batch often have the same space, slot or empty list.
    if (value !== null && value === previous) {
      const end = at;
      bytes.copyWithin(at, previousAt, at);
      at += end - previousAt;
      previousAt = end;
      continue;
    }
    const length = value === null ? -1 : type.write(value, bytes, at + 4);
    bytes.writeInt32BE(length, at);
    previous = value;
    previousAt = at;
    at += 4 + Math.max(length, 0);
  }
  return bytes.subarray(0, at);
}

type Column<Row> = {
  [Name in TypeName]: readonly [Name, (row: Row) => ValueOf<Name> | null];
}[TypeName];

/** Columns of rows that are passed to a statement as one array each. */
export class RowColumns<Row> {
  private readonly names: string[];
  private readonly columns: Column<Row>[];

  constructor(columns: Record<string, Column<Row>>) {
    this.names = Object.keys(columns);
    this.columns = Object.values(columns);
  }

  /** Number of parameters. */
  get count(): number {
    return this.columns.length;
  }

  /**
   * Returns the rows as `x`, for a statement with these parameters from `$first` on. The arrays are wrapped
   * in a select to hide them from the planner: a new plan for each batch would cost several times the
   * execution. `ordinal` names an additional column with the row number.
   */
  unnestSql(first: number, ordinal?: string): string {
    const arrays = this.columns.map(([type], index) => `(select $${first + index}::${type}[])`);
    const names = ordinal === undefined ? this.names : [...this.names, ordinal];
    return `unnest(${arrays.join(', ')})${ordinal === undefined ? '' : ' with ordinality'} as x(${names.join(', ')})`;
  }

  /** Returns the parameters. */
  toParameters(rows: readonly Row[]): Buffer[] {
    return this.columns.map(([type, pick]) => {
      const values = rows.map((row) => pick(row) as unknown);
      return binaryArray(elementTypes[type] as ElementType<unknown>, values);
    });
  }
}

const hexDigits = new Uint8Array(256).fill(0xff);
for (let digit = 0; digit < 16; digit += 1) {
  const text = digit.toString(16);
  hexDigits[text.charCodeAt(0)] = digit;
  hexDigits[text.toUpperCase().charCodeAt(0)] = digit;
}
/** Index of the first digit of each byte in a UUID's text. */
const digitPairs = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/** Takes a third of the time of removing the hyphens and decoding the rest: a message has ten of them. */
function writeUuid(value: string, into: Buffer, at: number): number {
  let digits = 0;
  for (let index = 0; index < 16; index += 1) {
    const pair = digitPairs[index]!;
    // Beyond the end of a short text, NaN selects no digit.
    const high = hexDigits[value.charCodeAt(pair)] ?? 0xff;
    const low = hexDigits[value.charCodeAt(pair + 1)] ?? 0xff;
    digits |= high | low;
    into[at + index] = (high << 4) | low;
  }
  const hasHyphens = value[8] === '-' && value[13] === '-' && value[18] === '-' && value[23] === '-';
  if (digits > 0xf || !hasHyphens || value.length !== 36)
    throw new RangeError(`"${value.slice(0, 50)}" is no UUID`);
  return 16;
}

function writeTime(value: string, into: Buffer, at: number): number {
  const milliseconds = Date.parse(value);
  if (Number.isNaN(milliseconds)) throw new RangeError(`"${value.slice(0, 50)}" is no time`);
  into.writeBigInt64BE(BigInt(milliseconds - epoch) * 1000n, at);
  return 8;
}
