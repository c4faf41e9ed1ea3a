// Notices that a newer version of the server has migrated the database while this one uses it.
import type { Clock } from '../common/clock.ts';
import type { Database } from '../db/database.ts';
import { newestMigration } from '../db/migrate.ts';

/** Milliseconds between two looks. */
const intervalMs = 5_000;

/**
 * `outdated` resolves with a user-readable message once the database has a migration after `latestMigration`: statements
 * of this version may then fail, or write what the newer one does not expect. The embedded database has only one user.
 */
export function watchSchema(deps: {
  database: Pick<Database, 'kind' | 'query'>;
  clock: Pick<Clock, 'every'>;
  /** Number of the latest migration known to this program. */
  latestMigration: number;
}): { outdated: Promise<string>; stop(): void } {
  const { database, clock, latestMigration } = deps;
  let stop = () => {};
  let isLooking = false;
  const outdated = new Promise<string>((resolve) => {
    if (database.kind === 'embedded') return;
    stop = clock.every(intervalMs, async () => {
      // One look at a time, so that a slow database does not get more and more of them.
      if (isLooking) return;
      isLooking = true;
      // Everything else that needs the database tells that it is away.
      const number = await newestMigration(database).catch(() => 0);
      isLooking = false;
      if (number <= latestMigration) return;
      stop();
      resolve(
        `A newer version has migrated the database to ${number}; this one knows migrations up to ${latestMigration}. Start the newer version here too.`,
      );
    });
  });
  return { outdated, stop: () => stop() };
}
