/** Starts one temporary PostgreSQL server shared by all test files of a full run. */
import { startPostgresql } from './test-postgresql.ts';

export default async function sharePostgresql(): Promise<(() => Promise<void>) | undefined> {
  if (!process.env.YAGURA_WHOLE_SUITE || process.env.YAGURA_TEST_DATABASE_URL) return undefined;
  const server = await startPostgresql();
  if (!server) return undefined;
  process.env.YAGURA_TEST_DATABASE_URL = server.url;
  return async () => {
    delete process.env.YAGURA_TEST_DATABASE_URL;
    await server.stop();
  };
}
