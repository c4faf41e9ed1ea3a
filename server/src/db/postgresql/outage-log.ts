/** Logs when a PostgreSQL server goes away and when it is back: one line each, however many calls fail meanwhile. */
import type { Clock } from '../clock.ts';
import type { StoreLog } from '../store-log.ts';
import { isConnectionError } from '../store-unavailable.ts';

/** Errors of the pool itself, which say nothing about the server: every connection is in use, or the pool is closed. */
const poolMessages = /^(timeout exceeded when trying to connect|Cannot use a pool after)/;

/** What the connection pool of one database reports. */
export interface OutageLog {
  /** A call got no connection. */
  onConnectFailed(error: unknown): void;
  /** A connection was opened. */
  onConnected(): void;
}

/** `location` names the database without its password. */
export function createOutageLog({
  clock,
  log,
  location,
}: {
  clock: Pick<Clock, 'now'>;
  log: StoreLog;
  location: string;
}): OutageLog {
  let outage: { since: number; failedCalls: number } | undefined;
  return {
    onConnectFailed(error) {
      if (!isConnectionError(error) || poolMessages.test((error as Error).message)) return;
      if (outage) {
        outage.failedCalls += 1;
        return;
      }
      outage = { since: clock.now(), failedCalls: 1 };
      const { message, code } = error as NodeJS.ErrnoException;
      log({
        level: 'error',
        message: `PostgreSQL at ${location} cannot be reached; what needs it fails or waits until it is back: ${message || code}`,
      });
    },
    onConnected() {
      if (!outage) return;
      const { since, failedCalls } = outage;
      outage = undefined;
      log({
        level: 'info',
        message: `PostgreSQL at ${location} can be reached again`,
        milliseconds: clock.now() - since,
        failedCalls,
      });
    },
  };
}
