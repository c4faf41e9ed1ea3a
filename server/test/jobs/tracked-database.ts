// A database that knows what it is doing, so that a test can wait until nothing is left to do.
import type { Database } from '../../src/db/database.ts';

export interface TrackedDatabase {
  database: Database;
  /** Resolves when no statement has run for some turns of the event loop: what was begun has ended. */
  settled(): Promise<void>;
}

export function trackDatabase(database: Database): TrackedDatabase {
  let active = 0;
  const tracked =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      active += 1;
      try {
        return await call(...args);
      } finally {
        active -= 1;
      }
    };
  return {
    database: Object.create(database, {
      query: { value: tracked(database.query.bind(database)) },
      transaction: { value: tracked(database.transaction.bind(database)) },
    }),
    async settled() {
      for (let quiet = 0; quiet < 10; quiet = active === 0 ? quiet + 1 : 0)
        await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
