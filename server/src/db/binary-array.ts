/** Arrays in PostgreSQL's binary form: nothing is quoted here and nothing parsed there, which text arrays cost most time with. */

import { rejectDeepJson } from './pglite/json-depth.ts';

/** Milliseconds between 1970 and 2000, from which PostgreSQL counts. */
const epoch = 946_684_800_000;

interface ElementType<T> {
  oid: number;
  /** Bytes that a value takes at most. */
  room(value: T): number;
  /** Writes a value and gives how many bytes it took. */
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
  /** The text of JSON that `storeJson` gave. */
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

/** A parameter for `$n::type[]`. Text must be such as the store takes, see `storeText`. */
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
  // An empty array has no dimension to tell of.
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

/** The columns of rows that a statement is given as one array each. */
export class RowColumns<Row> {
  private readonly names: string[];
  private readonly columns: Column<Row>[];

  constructor(columns: Record<string, Column<Row>>) {
    this.names = Object.keys(columns);
    this.columns = Object.values(columns);
  }

  /** Parameters that they take. */
  get count(): number {
    return this.columns.length;
  }

  /**
   * The rows as `x`, in a statement whose parameters from `$first` on they are. The arrays are selected so that the planner
   * cannot look into them: a plan made for each batch anew would cost several times what running it does. `ordinal` names
   * a further column that counts the rows.
   */
  unnestSql(first: number, ordinal?: string): string {
    const arrays = this.columns.map(([type], index) => `(select $${first + index}::${type}[])`);
    const names = ordinal === undefined ? this.names : [...this.names, ordinal];
    return `unnest(${arrays.join(', ')})${ordinal === undefined ? '' : ' with ordinality'} as x(${names.join(', ')})`;
  }

  /** The parameters. */
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
