/** Database on a PostgreSQL server: a connection pool, and a separate session for listening. */
import pg from 'pg';
import type { Database, StoreOptions } from '../database.ts';
import { migrate } from '../migrate.ts';
import { checkNotification } from '../notification.ts';
import { poolQueries } from '../pooled-queries.ts';
import { resultTypes } from '../result-types.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import { createNotificationListener } from './notification-session.ts';
import { createOutageLog, type OutageLog } from './outage-log.ts';
import { openDatabaseSession } from './session.ts';

const minServerVersion = 150_000;
const retryIntervalMs = 1_000;
/** A transaction without a statement may take this part of the time of a whole one. */
const idleTransactionShare = 4;

const notifyStatement = { name: 'notify', text: 'SELECT pg_notify($1, $2)' };

/** Opens the database at a URL. The URL's password never appears in an error or log line. */
export async function openPostgresql(url: string, options: StoreOptions): Promise<Database> {
  const { clock, log, connections } = options;
  const location = describeUrl(url);
  const prepare = sessionSettings(options);
  const config = {
    connectionString: url,
    application_name: 'yagura',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: resultTypes,
  } satisfies pg.ClientConfig;
  const pool = new pg.Pool({
    ...config,
    max: connections,
    onConnect: async (client: pg.ClientBase) => {
      await client.query(prepare);
    },
  });
  // Set once the database is open; until then each failed attempt is logged.
  let outages: OutageLog | undefined;
  pool.on('connect', () => outages?.onConnected());
  const queries = poolQueries(pool, options, {
    deliver: async (tx, channel, payload) => {
      await tx.query(notifyStatement, [channel, payload]);
      return () => {};
    },
    isShared: false,
    onConnectFailed: (error) => outages?.onConnectFailed(error),
  });
  try {
    await connectAtFirst();
    const names = await queries.withClient(
      (client) => migrate(client, options.migrations, options.signal),
      true,
    );
    for (const name of names) log({ level: 'info', message: `migration ${name} applied` });
  } catch (error) {
    await pool.end();
    throw error;
  }

  outages = createOutageLog({ clock, log, location });
  const open = () => openDatabaseSession(config, prepare, clock);
  const listening = createNotificationListener({ open, clock, log });
  let closing: Promise<void> | undefined;

  /** Waits for a server that is starting, then checks its version and encoding. */
  async function connectAtFirst(): Promise<void> {
    const until = clock.now() + options.connectTimeoutMs;
    for (;;) {
      options.signal.throwIfAborted();
      try {
        await checkServer();
        return;
      } catch (error) {
        if (error instanceof pg.DatabaseError) throw atLocation(error);
        if (!(error instanceof StoreUnavailable)) throw error;
        if (clock.now() >= until) throw new StoreUnavailable(atLocation(error).message, { cause: error });
        log({ level: 'warn', message: `waiting for PostgreSQL at ${location}: ${error.message}` });
        await new Promise<void>((resolve) => clock.after(retryIntervalMs, resolve));
      }
    }
  }

  /** Names the server and database of a refusal, such as a wrong password or an unknown database. */
  function atLocation(error: Error): Error {
    return new Error(`PostgreSQL at ${location}: ${error.message}`, { cause: error });
  }

  async function checkServer(): Promise<void> {
    const { rows } = await queries.query<{ version: string; number: number; encoding: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
        current_setting('server_encoding') AS encoding`,
    );
    const { version, number, encoding } = rows[0]!;
    if (number < minServerVersion) {
      throw new Error(`PostgreSQL at ${location} is version ${version}; version 15 or newer is needed`);
    }
    if (encoding !== 'UTF8') {
      throw new Error(
        `The database at ${location} has the encoding ${encoding}; create it with ENCODING 'UTF8'`,
      );
    }
  }

  async function close(): Promise<void> {
    await queries.drain();
    await listening.close();
    await pool.end();
  }

  return {
    kind: 'postgresql',
    query: queries.query,
    transaction: queries.transaction,
    async notify(channel, payload) {
      queries.refuseInTransaction('notify');
      checkNotification(channel, payload);
      await queries.query(notifyStatement, [channel, payload]);
    },
    listen: listening.listen,
    holdLock: listening.holdLock,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/**
 * User-readable target of a URL: host, port and database, without user and password. Throws if the URL is
 * invalid.
 */
export function describeUrl(url: string): string {
  // Errors of the URL parser contain the whole URL including the password, so they are not passed on.
  let parsed: URL | undefined;
  try {
    parsed = new URL(url);
    new pg.Client({ connectionString: url });
  } catch {
    parsed = undefined;
  }
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new Error('DATABASE_URL: give postgresql://user:password@host:port/database');
  }
  const host = parsed.hostname || parsed.searchParams.get('host') || 'localhost';
  return `${host}:${parsed.port || parsed.searchParams.get('port') || 5432}${parsed.pathname}`;
}

/** Settings of every connection: results in UTC, time limits, and fast detection of a dead network. */
function sessionSettings({
  statementTimeoutMs,
  transactionTimeoutMs,
}: Pick<StoreOptions, 'statementTimeoutMs' | 'transactionTimeoutMs'>): string {
  const settings = {
    timezone: 'UTC',
    datestyle: 'ISO',
    intervalstyle: 'postgres',
    statement_timeout: statementTimeoutMs,
    // A process that is paused must not keep its locks from the one that takes over.
    idle_in_transaction_session_timeout: Math.ceil(transactionTimeoutMs / idleTransactionShare),
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
  };
  return Object.entries(settings)
    .map(([name, value]) => `SET ${name} = '${value}'`)
    .join('; ');
}
