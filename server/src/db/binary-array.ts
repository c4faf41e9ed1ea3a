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
  for (const value of values) {
    const length = value === null ? -1 : type.write(value, bytes, at + 4);
    bytes.writeInt32BE(length, at);
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

function writeUuid(value: string, into: Buffer, at: number): number {
  const written = into.write(value.replaceAll('-', ''), at, 'hex');
  if (written !== 16) throw new RangeError(`"${value.slice(0, 50)}" is no UUID`);
  return written;
}

function writeTime(value: string, into: Buffer, at: number): number {
  const milliseconds = Date.parse(value);
  if (Number.isNaN(milliseconds)) throw new RangeError(`"${value.slice(0, 50)}" is no time`);
  into.writeBigInt64BE(BigInt(milliseconds - epoch) * 1000n, at);
  return 8;
}
