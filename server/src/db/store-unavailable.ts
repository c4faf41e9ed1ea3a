/** The error by which the store says that it cannot answer now, and the rule that tells such errors from others. */
import pg from 'pg';

/** The store cannot answer now (not reachable, restarting, overloaded, closing); HTTP answers 503. Never holds a password. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

// Classes of SQLSTATE (PostgreSQL, appendix A): 08 connection, 53 out of resources, 57014 time limit, 57P0x shutdown.
const unavailableStates = /^(08|53|57014$|57P0)/;
const driverMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after|Query read timeout)/;

/** True when the connection itself failed, so that it must not be used again. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return /^(08|57P0)/.test(error.code ?? '');
  const { syscall, code } = error as NodeJS.ErrnoException;
  return (
    syscall !== undefined || code === 'EPIPE' || code === 'ECONNRESET' || driverMessages.test(error.message)
  );
}

/** Turns what the driver threw into StoreUnavailable when it means "not now"; every other error passes unchanged. */
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

/** True when a value itself cannot be stored, however often it is tried (SQLSTATE classes 22 and 23). */
export function isDataError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');
}
