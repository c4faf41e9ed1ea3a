/** The error for a temporarily unavailable database, and the classification of driver errors. */
import pg from 'pg';

/**
 * The database is temporarily unavailable (unreachable, restarting, overloaded, closing), or has canceled the transaction
 * for another one; HTTP responds with 503. Never contains a password.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

// SQLSTATE classes (PostgreSQL, appendix A): 08 connection, 53 insufficient resources, 57014 time limit,
// 57P0x shutdown, 25P03 idle transaction, 40001 and 40P01 a transaction that was canceled for others and may be repeated.
const unavailableStates = /^(08|53|57014$|57P0|25P03$|40001$|40P01$)/;
const driverMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after|Query read timeout)/;

/** True if the connection itself failed and must not be reused. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return /^(08|57P0|25P03$)/.test(error.code ?? '');
  const { syscall, code } = error as NodeJS.ErrnoException;
  return (
    syscall !== undefined || code === 'EPIPE' || code === 'ECONNRESET' || driverMessages.test(error.message)
  );
}

/**
 * Converts driver errors that mean temporary unavailability to StoreUnavailable; returns all other errors
 * unchanged.
 */
export function toStoreError(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  if (error instanceof pg.DatabaseError) {
    return unavailableStates.test(error.code ?? '')
      ? new StoreUnavailable(error.message, { cause: error })
      : error;
  }
  if (!isConnectionError(error)) return error;
  const reason = (error as Error).message || ((error as NodeJS.ErrnoException).code ?? 'no reason given');
  return new StoreUnavailable(`The database cannot be reached: ${reason}`);
}

/** True if PostgreSQL has canceled the transaction for another one (serialization failure, deadlock). */
export function isCanceledTransaction(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
  return error instanceof StoreUnavailable && (code === '40001' || code === '40P01');
}

/** True if the disk of the database is full, which no smaller batch can help. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof StoreUnavailable && (error.cause as pg.DatabaseError | undefined)?.code === '53100';
}

/** True if a value can never be stored, so that retrying is pointless (SQLSTATE classes 22 and 23). */
export function isDataError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');
}
