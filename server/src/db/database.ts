/** Common interface to storage: the embedded engine in a data folder, or a PostgreSQL server. */
import type { Clock } from './clock.ts';
import type { Migration } from './migrate.ts';
import type { StoreLog } from './store-log.ts';

/** SQL text, or named text prepared once; use a name on every hot path. */
export type Statement = string | { name: string; text: string };

/**
 * Rows with parsed values (jsonb parsed; timestamptz ISO 8601 with Z; date, bigint and numeric as text) and
 * the number of affected rows.
 */
export interface QueryResult<Row> {
  rows: Row[];
  rowCount: number;
}

/**
 * Executes statements. Throws StoreUnavailable if the database is temporarily unavailable, otherwise
 * pg.DatabaseError.
 */
export interface Queryable {
  query<Row = Record<string, unknown>>(statement: Statement, values?: unknown[]): Promise<QueryResult<Row>>;
}

/** An open transaction; it ends when the callback that received it settles. */
export interface Transaction extends Queryable {
  /** Notifies the listeners of a channel if and only if the transaction commits. */
  notify(channel: string, payload: string): Promise<void>;
}

/** What a caller adds to a transaction that another piece of code opens. */
export type InTransaction = (tx: Transaction) => Promise<void>;

/** An open database. */
export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgresql';
  /**
   * Embedded engine only: resolves with a user-readable message when another process has taken over the
   * folder.
   */
  readonly lost?: Promise<string>;
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws or takes too long.
   * Inside it, use only `tx`; using the database itself throws immediately. Do not await external I/O inside.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Notifies the listeners of a channel in every replica. The payload has at most 7,999 bytes of UTF-8. */
  notify(channel: string, payload: string): Promise<void>;
  /**
   * Calls `handler` for each notification until the returned function is called. `missed` is called after a
   * connection loss, when notifications may have been missed; listening resumes automatically.
   */
  listen(
    channel: string,
    handler: (payload: string) => void,
    missed?: () => void,
  ): Promise<() => Promise<void>>;
  /**
   * PostgreSQL only: holds a shared advisory lock, as `tryAdvisoryLock` sees it, for as long as this process is
   * connected; acquired again after a connection loss.
   */
  holdLock?(seed: string, key: string): Promise<void>;
  /** Rejects new work, waits for running work (up to 10 s), writes a checkpoint and releases the folder. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Data folder of the embedded engine; required without databaseUrl. */
  folder?: string | undefined;
  /** postgres:// or postgresql:// URL of PostgreSQL 15 or newer; takes precedence over folder. */
  databaseUrl?: string | undefined;
  /** Engine template for a faster first start; see template.ts. */
  templateFile?: string | undefined;
  migrations: readonly Migration[];
  log?: StoreLog | undefined;
  clock?: Clock | undefined;
  /** Maximum PostgreSQL connections, by default 10; listening uses one more. */
  connections?: number | undefined;
  /**
   * Milliseconds after which PostgreSQL cancels a statement, by default 30,000; not supported by the embedded
   * engine.
   */
  statementTimeoutMs?: number | undefined;
  /** Milliseconds after which a transaction is rolled back, by default 60,000. */
  transactionTimeoutMs?: number | undefined;
  /** Milliseconds during which connecting to PostgreSQL is retried at startup, by default 30,000. */
  connectTimeoutMs?: number | undefined;
  /**
   * Whether a call of the database inside a transaction callback, which could wait for that transaction, is refused; true
   * by default. In Node 20 it costs time at each promise of the process.
   */
  refuseNestedCalls?: boolean | undefined;
  /** Ends the opening with its reason when aborted, between two attempts to connect or two migrations. */
  signal?: AbortSignal | undefined;
}

/** Options with all defaults applied. */
export type StoreOptions = Required<Omit<OpenOptions, 'folder' | 'databaseUrl' | 'templateFile'>>;
