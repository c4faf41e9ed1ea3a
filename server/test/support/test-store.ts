/**
 * Databases for tests on both engines: a temporary data folder or database that can be opened repeatedly.
 */
import type { Database, OpenOptions } from '../../src/db/database.ts';
import { migrations } from '../../src/db/migrations/all.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { createStartedFolder } from './data-folder.ts';
import { hasPostgresql, startPostgresql } from './test-postgresql.ts';

/** One location for a database. */
export interface TestStore {
  open(options?: Partial<OpenOptions>): Promise<Database>;
  /** Closes open connections and removes everything. */
  remove(): Promise<void>;
}

const everyStore = ['embedded', 'postgresql'] as const;

export type StoreKind = (typeof everyStore)[number];

const wanted = process.env.YAGURA_TEST_STORES;

/**
 * For tests of what engines do differently, such as transactions, locks, jobs, restarts and receiving: both engines,
 * unless YAGURA_TEST_STORES names one.
 */
export const storeKinds = everyStore.filter((kind) => !wanted || wanted === 'all' || wanted === kind);

/** PostgreSQL, whose servers start and answer tests faster, or the embedded engine where it is not installed. */
export const featureStore: StoreKind =
  storeKinds.length === 1 ? storeKinds[0]! : hasPostgresql() ? 'postgresql' : 'embedded';

/**
 * For tests of features, which see only the common interface of both engines: one engine, unless YAGURA_TEST_STORES is
 * "all".
 */
export const featureStores = wanted === 'all' ? everyStore : [featureStore];

/** A database without tables; null, with a printed reason, when PostgreSQL is not available. */
export async function createTestStore(kind: StoreKind): Promise<TestStore | null> {
  if (kind === 'embedded') {
    const { folder, remove } = await createStartedFolder([]);
    return createTestStoreAt({ folder, migrations: [] }, async () => remove());
  }
  const server = await startPostgresql();
  return (
    server && createTestStoreAt({ databaseUrl: await server.createDatabase(), migrations: [] }, server.stop)
  );
}

/** A database with all tables and no rows; null when PostgreSQL is not available. */
export async function createStoreWithTables(kind: StoreKind): Promise<TestStore | null> {
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
