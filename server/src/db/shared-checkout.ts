/** Lets single statements share a pool connection, so that the driver can pipeline them. */
import type pg from 'pg';
import { isConnectionError } from './store-unavailable.ts';

interface SharedClient {
  client: Promise<pg.PoolClient>;
  users: number;
  isAcquired: boolean;
  isBroken: boolean;
}

/**
 * Returns a function that runs work on a connection shared with other such work. Requests for an exclusive
 * connection (transactions) are not starved: once one is waiting, the current group accepts no further work.
 */
export function shareCheckout(pool: pg.Pool): <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T> {
  let group: SharedClient | undefined;

  function join(): SharedClient {
    if (group && !group.isBroken && (!group.isAcquired || pool.waitingCount === 0)) return group;
    const opened: SharedClient = { client: pool.connect(), users: 0, isAcquired: false, isBroken: false };
    opened.client.then(
      () => {
        opened.isAcquired = true;
      },
      () => {
        opened.isBroken = true;
      },
    );
    group = opened;
    return opened;
  }

  return async (work) => {
    const joined = join();
    joined.users += 1;
    let client: pg.PoolClient | undefined;
    try {
      client = await joined.client;
      return await work(client);
    } catch (error) {
      joined.isBroken ||= isConnectionError(error);
      throw error;
    } finally {
      joined.users -= 1;
      if (joined.users === 0) {
        if (group === joined) group = undefined;
        client?.release(joined.isBroken);
      }
    }
  };
}
