/** Runs statements and transactions on a connection pool, the same for both engines. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import type { Queryable, QueryResult, Statement, StoreOptions, Transaction } from './database.ts';
import { checkNotification } from './notification.ts';
import { rejectDeepJson } from './pglite/json-depth.ts';
import { shareCheckout } from './shared-checkout.ts';
import { isConnectionError, StoreUnavailable, toStoreError } from './store-unavailable.ts';

const maxRunning = 5_000;
const drainTimeoutMs = 10_000;

/** Sends a notification inside a transaction and returns the function to call after its commit. */
export type NotifyInTransaction = (tx: Queryable, channel: string, payload: string) => Promise<() => void>;

/** Statements and transactions, and the hooks the engines need. */
export interface PooledQueries extends Queryable {
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** With `refuseNestedCalls`, throws when called inside a transaction callback; `call` names what was called. */
  refuseInTransaction(call: string): void;
  /** Runs work on a connection of the pool; if `isSpoilt`, the connection is discarded afterwards. */
  withClient<T>(work: (client: pg.PoolClient) => Promise<T>, isSpoilt?: boolean): Promise<T>;
  /** Number of uses of a connection so far. */
  uses(): number;
  /** Rejects new work from now on; resolves when running work has ended or after 10 s. */
  drain(): Promise<void>;
}

/** Thrown when a transaction exceeded its time limit and was rolled back. */
export class TransactionTooLong extends Error {
  override readonly name = 'TransactionTooLong';
}

/** Runs one statement on a connection; always as a single statement, never as a script. */
async function runStatement<Row>(
  client: pg.ClientBase,
  statement: Statement,
  values?: unknown[],
): Promise<QueryResult<Row>> {
  const config = typeof statement === 'string' ? { text: statement } : statement;
  if (values) rejectDeepJson(values);
  const { rows, rowCount } = await client.query<Row & pg.QueryResultRow>({
    ...config,
    ...(values && { values }),
    queryMode: 'extended',
  } as pg.QueryConfig & { queryMode: 'extended' });
  return { rows, rowCount: rowCount ?? 0 };
}

/** Use of a pool: `deliver` sends notifications, `isShared` lets single statements share a connection. */
export interface PoolUse {
  deliver: NotifyInTransaction;
  isShared: boolean;
  /** Called when a statement or transaction got no connection. */
  onConnectFailed?(error: unknown): void;
}

/** A transaction whose callback runs, and the one around it on another store. */
interface TransactionScope {
  pool: pg.Pool;
  isOver: boolean;
  outer: TransactionScope | undefined;
}

/** One for all stores: in Node 20 each instance that was ever used costs time at each promise of the process. */
const scopes = new AsyncLocalStorage<TransactionScope>();

/** The innermost transaction of the caller that is not over. */
function openScope(): TransactionScope | undefined {
  let scope = scopes.getStore();
  while (scope?.isOver) scope = scope.outer;
  return scope;
}

/** Runs statements and transactions on `pool`. */
export function poolQueries(
  pool: pg.Pool,
  {
    clock,
    log,
    transactionTimeoutMs,
    refuseNestedCalls,
  }: Pick<StoreOptions, 'clock' | 'log' | 'transactionTimeoutMs' | 'refuseNestedCalls'>,
  { deliver, isShared, onConnectFailed }: PoolUse,
): PooledQueries {
  const withAnyClient = isShared
    ? shareCheckout(pool)
    : <T>(work: (client: pg.PoolClient) => Promise<T>) => withOwnClient(work, false);
  let running = 0;
  let uses = 0;
  let isClosing = false;
  let whenIdle: (() => void) | undefined;

  // Without listeners a lost connection would end the process; the user of the connection gets the error as
  // well.
  // A server that restarts ends all of them at once, which is one line until a connection is opened again.
  let isLossLogged = false;
  pool.on('connect', (client) => {
    isLossLogged = false;
    client.on('error', () => {});
  });
  pool.on('error', (error) => {
    if (isClosing || isLossLogged) return;
    isLossLogged = true;
    log({ level: 'warn', message: `waiting store connections were lost: ${error.message}` });
  });

  /** Counts running work and rejects it when closing or overloaded; `run` acquires a connection. */
  async function admit<T>(run: () => Promise<T>): Promise<T> {
    if (isClosing) throw new StoreUnavailable('The store is closing');
    if (running >= maxRunning) throw new StoreUnavailable('Too many statements wait for the store');
    running += 1;
    uses += 1;
    try {
      return await run();
    } catch (error) {
      throw toStoreError(error);
    } finally {
      running -= 1;
      if (running === 0) whenIdle?.();
    }
  }

  async function withOwnClient<T>(
    work: (client: pg.PoolClient) => Promise<T>,
    isSpoilt: boolean,
  ): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      onConnectFailed?.(error);
      throw error;
    });
    let isBroken = isSpoilt;
    try {
      return await work(client);
    } catch (error) {
      isBroken ||= isConnectionError(error) || error instanceof TransactionTooLong;
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  function refuseInTransaction(call: string): void {
    if (!refuseNestedCalls) return;
    let scope = openScope();
    while (scope && (scope.isOver || scope.pool !== pool)) scope = scope.outer;
    if (!scope) return;
    throw new Error(
      `${call} was called inside a transaction; use the transaction that the callback was given`,
    );
  }

  async function transact<T>(client: pg.PoolClient, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const scope: TransactionScope = {
      ...{ pool, isOver: false },
      outer: refuseNestedCalls ? openScope() : undefined,
    };
    const afterCommit: (() => void)[] = [];
    // Statements asked for at once run one after the other: the driver takes several only where it pipelines them.
    let previous: Promise<unknown> = Promise.resolve();
    let unanswered = 0;
    const tx: Transaction = {
      query<Row>(statement: Statement, values?: unknown[]) {
        unanswered += 1;
        const result = previous.then(async () => {
          try {
            if (scope.isOver)
              throw new Error('The transaction is over; await every statement before its callback ends');
            return await runStatement<Row>(client, statement, values);
          } finally {
            unanswered -= 1;
          }
        });
        previous = result.catch(() => undefined);
        return result;
      },
      async notify(channel, payload) {
        checkNotification(channel, payload);
        afterCommit.push(await deliver(tx, channel, payload));
      },
    };
    let cancelLimit = () => {};
    const limit = new Promise<never>((_resolve, reject) => {
      const message = `A transaction took longer than ${transactionTimeoutMs} ms and was rolled back`;
      cancelLimit = clock.after(transactionTimeoutMs, () => reject(new TransactionTooLong(message)));
    });
    // It may time out before anything awaits it.
    limit.catch(() => {});
    try {
      await client.query('BEGIN');
      const running = refuseNestedCalls ? scopes.run(scope, () => work(tx)) : work(tx);
      const result = await Promise.race([running, limit]);
      // It may still be refused, and nobody would notice.
      if (unanswered > 0)
        throw new Error('A statement of the transaction was not awaited, so all of it is rolled back');
      scope.isOver = true;
      const end = await client.query('COMMIT');
      if (end.command === 'ROLLBACK') {
        throw new Error('A statement of the transaction had failed, so all of it was rolled back');
      }
      for (const send of afterCommit) send();
      return result;
    } catch (error) {
      const wasOpen = !scope.isOver;
      scope.isOver = true;
      if (wasOpen && !isConnectionError(error) && !(error instanceof TransactionTooLong))
        await client.query('ROLLBACK');
      throw error;
    } finally {
      cancelLimit();
    }
  }

  return {
    refuseInTransaction,
    withClient: (work, isSpoilt = false) => admit(() => withOwnClient(work, isSpoilt)),
    uses: () => uses,
    async query<Row>(statement: Statement, values?: unknown[]) {
      refuseInTransaction('query');
      return admit(() => withAnyClient((client) => runStatement<Row>(client, statement, values)));
    },
    async transaction(work) {
      refuseInTransaction('transaction');
      return admit(() => withOwnClient((client) => transact(client, work), false));
    },
    async drain() {
      isClosing = true;
      if (running === 0) return;
      await new Promise<void>((resolve) => {
        const cancel = clock.after(drainTimeoutMs, resolve);
        whenIdle = () => {
          cancel();
          resolve();
        };
      });
    },
  };
}
