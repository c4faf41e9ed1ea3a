/** Stores for tests that hold on both engines: a data folder or a database of its own, opened as often as needed. */
import type { Database, OpenOptions } from '../../src/db/database.ts';
import { migrations } from '../../src/db/migrations/all.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { createStartedFolder } from './data-folder.ts';
import { startPostgresql } from './test-postgresql.ts';

/** One place to store things in. */
export interface TestStore {
  open(options?: Partial<OpenOptions>): Promise<Database>;
  /** Closes what is open and removes everything. */
  remove(): Promise<void>;
}

const everyStore = ['embedded', 'postgresql'] as const;

/** The engines that a test of storage runs on: both, unless YAGURA_TEST_STORES names one. */
export const storeKinds = everyStore.filter(
  (kind) => !process.env.YAGURA_TEST_STORES || process.env.YAGURA_TEST_STORES === kind,
);

/** A store without tables; null, with a printed reason, when there is no PostgreSQL to test with. */
export async function createTestStore(kind: (typeof storeKinds)[number]): Promise<TestStore | null> {
  if (kind === 'embedded') {
    const { folder, remove } = await createStartedFolder([]);
    return createTestStoreAt({ folder, migrations: [] }, async () => remove());
  }
  const server = await startPostgresql();
  return (
    server && createTestStoreAt({ databaseUrl: await server.createDatabase(), migrations: [] }, server.stop)
  );
}

/** A store with all tables and no rows; null as above. */
export async function createStoreWithTables(kind: (typeof storeKinds)[number]): Promise<TestStore | null> {
  if (kind === 'embedded') {
    const { folder, remove } = await createStartedFolder(migrations);
    return createTestStoreAt({ folder, migrations }, async () => remove());
  }
  const server = await startPostgresql();
  return (
    server &&
    createTestStoreAt({ databaseUrl: await server.createDatabaseWithTables(), migrations }, server.stop)
  );
}

function createTestStoreAt(where: OpenOptions, removePlace: () => Promise<void>): TestStore {
  const opened: Database[] = [];
  return {
    async open(options = {}) {
      const database = await openDatabase({ ...where, ...options });
      opened.push(database);
      return database;
    },
    async remove() {
      await Promise.all(opened.map((database) => database.close()));
      await removePlace();
    },
  };
}
