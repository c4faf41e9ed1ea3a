/** Stores for tests that hold on both engines: a data folder or a database of its own, opened as often as needed. */
import type { Database, OpenOptions } from '../src/db/database.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { createDataFolder, testTemplate } from './data-folder.ts';
import { startPostgresql } from './postgresql.ts';

/** One place to store things in. */
export interface TestStore {
  open(options?: Partial<OpenOptions>): Promise<Database>;
  /** Closes what is open and removes everything. */
  remove(): Promise<void>;
}

/** The engines that a test of storage runs on. */
export const storeKinds = ['embedded', 'postgresql'] as const;

/** An empty store; null, with a printed reason, when there is no PostgreSQL to test with. */
export async function createTestStore(kind: (typeof storeKinds)[number]): Promise<TestStore | null> {
  if (kind === 'embedded') {
    const { folder, remove } = createDataFolder();
    return place({ folder, templateFile: await testTemplate() }, async () => remove());
  }
  const server = await startPostgresql();
  return server && place({ databaseUrl: await server.createDatabase() }, server.stop);
}

function place(where: Partial<OpenOptions>, removePlace: () => Promise<void>): TestStore {
  const opened: Database[] = [];
  return {
    async open(options = {}) {
      const database = await openDatabase({ migrations: [], ...where, ...options });
      opened.push(database);
      return database;
    },
    async remove() {
      await Promise.all(opened.map((database) => database.close()));
      await removePlace();
    },
  };
}
