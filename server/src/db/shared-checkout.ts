/** Lets single statements share one connection of a pool, so that the driver can send them without waiting for replies. */
import type pg from 'pg';
import { isConnectionError } from './store-unavailable.ts';

interface SharedClient {
  client: Promise<pg.PoolClient>;
  users: number;
  isAcquired: boolean;
  isBroken: boolean;
}

/**
 * Gives a function that runs work on a connection which other such work may use at the same time. Whoever waits for a
 * connection of its own (a transaction) is not overtaken: once somebody waits, the group that runs takes nobody more.
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
