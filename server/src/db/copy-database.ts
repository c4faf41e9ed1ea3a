// Copies all rows of one database to another one with the same schema, in one transaction, and verifies them.
import type { Database, Queryable } from './database.ts';

/** The target already contains data, or the copy differs; the message is meant for the operator. */
export class CopyError extends Error {}

export interface CopiedTable {
  name: string;
  rows: number;
}

/** Maximum bytes of rows per statement; a larger row is copied alone. */
const maxBatchBytes = 8 << 20;
const maxBatchRows = 1000;
/** Blocks of a table whose rows are listed at a time; a block holds at most about 200 rows. */
const blocksPerRead = 64;
const bytesPerBlock = 8192;

/**
 * Both databases must have all migrations and no other users. Nothing is stored if it fails. `onTable` is
 * called after each table.
 */
export async function copyDatabase(
  source: Queryable,
  target: Database,
  onTable: (table: CopiedTable) => void,
): Promise<void> {
  const { rows: spaces } = await target.query('select 1 from space limit 1');
  if (spaces.length > 0)
    throw new CopyError('The target database already contains data. Give an empty database.');
  await target.transaction(async (tx) => {
    const tables = await listTables(tx);
    // Rows that migrations have inserted.
    for (const { name } of [...tables].reverse()) await tx.query(`delete from ${name}`);
    for (const table of tables) {
      await copyTable(source, tx, table);
      const [expected, actual] = [await digestOf(source, table), await digestOf(tx, table)];
      if (expected.rows !== actual.rows || expected.digest !== actual.digest)
        throw new CopyError(
          `Table ${table.name} differs after the copy: ${expected.rows} rows became ${actual.rows}.`,
        );
      onTable({ name: table.name, rows: actual.rows });
    }
    await copySequences(source, tx);
  });
}

interface Table {
  name: string;
  /** Columns that are stored, not generated. */
  columns: string[];
}

/** All tables but that of the migrations; a table comes after those that it references. */
async function listTables(db: Queryable): Promise<Table[]> {
  const { rows } = await db.query<Table & { references: string[] }>(`
    select quote_ident(c.relname) as name,
      (select json_agg(quote_ident(a.attname) order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((select json_agg(distinct quote_ident(r.relname)) from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid), '[]') as references
    from pg_class c
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname <> 'schema_migration'
    order by c.relname`);
  const sorted: Table[] = [];
  const pending = new Map(rows.map((row) => [row.name, row]));
  while (pending.size > 0) {
    const next = [...pending.values()].find((row) => !row.references.some((name) => pending.has(name)));
    if (!next) throw new Error(`foreign keys form a cycle: ${[...pending.keys()].join(', ')}`);
    pending.delete(next.name);
    sorted.push(next);
  }
  return sorted;
}

async function copyTable(source: Queryable, target: Queryable, { name, columns }: Table): Promise<void> {
  const list = columns.join(', ');
  const { rows: sizes } = await source.query<{ bytes: string }>(
    'select pg_relation_size($1::regclass) as bytes',
    [name],
  );
  const blocks = Math.ceil(Number(sizes[0]!.bytes) / bytesPerBlock);
  for (let start = 0; start < blocks; start += blocksPerRead) {
    const { rows } = await source.query<{ at: string; bytes: number }>(
      `select ctid::text as at, pg_column_size(t.*) as bytes from ${name} t where ctid >= $1::tid and ctid < $2::tid`,
      [`(${start},0)`, `(${start + blocksPerRead},0)`],
    );
    for (const batch of batchesOf(rows)) {
      // JSON as text keeps every digit of numbers and every byte of binary columns.
      const read = await source.query<{ list: string }>(
        `select json_agg(to_json(t))::text as list from (select ${list} from ${name} where ctid = any($1::tid[])) t`,
        [batch],
      );
      await target.query(
        `insert into ${name} (${list}) overriding system value
         select ${list} from json_populate_recordset(null::${name}, $1::json)`,
        [read.rows[0]!.list],
      );
    }
  }
}

/** Groups the positions of rows into batches of bounded size. */
function* batchesOf(rows: readonly { at: string; bytes: number }[]): Generator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (batch.length > 0 && (bytes + row.bytes > maxBatchBytes || batch.length >= maxBatchRows)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(row.at);
    bytes += row.bytes;
  }
  if (batch.length > 0) yield batch;
}

/** Number of rows, and a digest of their values that does not depend on their order. */
async function digestOf(db: Queryable, { name, columns }: Table): Promise<{ rows: number; digest: string }> {
  const { rows } = await db.query<{ rows: number; digest: string }>(
    `select count(*)::int as rows, coalesce(sum(hashtextextended(to_json(t)::text, 0)::numeric), 0)::text as digest
     from (select ${columns.join(', ')} from ${name}) t`,
  );
  return rows[0]!;
}

/** Continues identity columns and sequences where the source stands. */
async function copySequences(source: Queryable, target: Queryable): Promise<void> {
  const { rows } = await source.query<{ name: string; last: string | null }>(
    `select format('%I', sequencename) as name, last_value::text as last from pg_sequences where schemaname = current_schema()`,
  );
  for (const { name, last } of rows)
    if (last !== null) await target.query('select setval($1::regclass, $2::bigint)', [name, last]);
}
