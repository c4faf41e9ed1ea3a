/** The one door to storage: the embedded engine in a data folder, or a PostgreSQL server, behind the same interface. */
import type { Clock } from './clock.ts';
import type { Migration } from './migrate.ts';
import type { StoreLog } from './store-log.ts';

/** SQL text, or text with a name under which the engine keeps its plan: use a name on every hot path. */
export type Statement = string | { name: string; text: string };

/** Rows as parsed values (jsonb parsed; timestamptz ISO 8601 with Z; date, bigint and numeric as text) and rows touched. */
export interface QueryResult<Row> {
  rows: Row[];
  rowCount: number;
}

/** Anything that runs statements. Throws StoreUnavailable when the store cannot answer now, else pg.DatabaseError. */
export interface Queryable {
  query<Row = Record<string, unknown>>(statement: Statement, values?: unknown[]): Promise<QueryResult<Row>>;
}

/** An open transaction; it ends when the callback that got it settles. */
export interface Transaction extends Queryable {
  /** Notifies the listeners of a channel when, and only when, the transaction commits. */
  notify(channel: string, payload: string): Promise<void>;
}

/** An open store. */
export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgresql';
  /** Of the embedded engine: resolves, with a message for people, when another process has taken the folder over. */
  readonly lost?: Promise<string>;
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws or takes too long.
   * Inside it only `tx` may be used; using the database itself throws at once. Await no outside I/O inside.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Tells the listeners of a channel, in every replica. Payload at most 7,999 bytes of UTF-8. */
  notify(channel: string, payload: string): Promise<void>;
  /**
   * Calls `handler` for each notification until the result is called. `missed` is called when the connection was
   * away for a while, so that notifications may be missing; listening goes on by itself.
   */
  listen(
    channel: string,
    handler: (payload: string) => void,
    missed?: () => void,
  ): Promise<() => Promise<void>>;
  /** Refuses new work, lets running work end (10 s), writes a checkpoint and gives the folder free. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** The data folder of the embedded engine; needed when there is no databaseUrl. */
  folder?: string | undefined;
  /** postgres:// or postgresql:// URL of a PostgreSQL 15 or newer; wins over folder. */
  databaseUrl?: string | undefined;
  /** The engine template for a quick first start; see template.ts. */
  templateFile?: string | undefined;
  migrations: readonly Migration[];
  log?: StoreLog | undefined;
  clock?: Clock | undefined;
  /** Connections to PostgreSQL, by default 10; listening uses one more. */
  connections?: number | undefined;
  /** Milliseconds after which PostgreSQL ends a statement, by default 30,000; the embedded engine cannot. */
  statementTimeoutMs?: number | undefined;
  /** Milliseconds after which a transaction is rolled back, by default 60,000. */
  transactionTimeoutMs?: number | undefined;
  /** Milliseconds for which a PostgreSQL server that does not answer is tried at the start, by default 30,000. */
  connectTimeoutMs?: number | undefined;
}

/** Options with every default filled in. */
export type StoreOptions = Required<Omit<OpenOptions, 'folder' | 'databaseUrl' | 'templateFile'>>;
