/** Upgrades the database schema with numbered, hand-written migrations. */
import { createHash } from 'node:crypto';
import type pg from 'pg';

/** One schema change. Never modified once released; corrections are new migrations. */
export interface Migration {
  /** Ascending from 1; numbers that were never released may be missing. */
  number: number;
  name: string;
  /** SQL statements, run in one transaction; must not contain BEGIN or COMMIT. */
  up: string;
}

/** Schema and code do not match, or a migration failed; the message states which and why. */
export class MigrationError extends Error {
  override readonly name = 'MigrationProblem';
}

interface AppliedMigration {
  number: number;
  name: string;
  checksum: string;
}

/** Key of the advisory lock that serializes migrations of replicas that start together. */
const migrationLock = '7810774121093153900';
const lockWaitMs = 600; // seconds

/**
 * Runs pending migrations on this connection, which must not be used for anything else afterwards. Returns
 * their names. When `signal` is aborted, its reason is thrown before the next migration.
 */
export async function migrate(
  client: pg.ClientBase,
  migrations: readonly Migration[],
  signal?: AbortSignal,
): Promise<string[]> {
  checkList(migrations);
  await lock(client);
  try {
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migration (
      number integer PRIMARY KEY,
      name text NOT NULL,
      checksum text NOT NULL,
      applied_at timestamptz(3) NOT NULL DEFAULT now()
    )`);
    const { rows } = await client.query<AppliedMigration>(
      'SELECT number, name, checksum FROM schema_migration ORDER BY number',
    );
    checkApplied(rows, migrations);
    const missing = migrations.slice(rows.length);
    for (const migration of missing) {
      signal?.throwIfAborted();
      await run(client, migration);
    }
    return missing.map(label);
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${migrationLock})`).catch(() => {});
  }
}

/** A database, of which this file is a part. */
interface NumberQuery {
  query(statement: { name: string; text: string }): Promise<{ rows: { number: number | null }[] }>;
}

/** Number of the newest migration that was applied, by whichever version of the program. */
export async function newestMigration(database: NumberQuery): Promise<number> {
  const { rows } = await database.query({
    name: 'newest-migration',
    text: 'select max(number) as number from schema_migration',
  });
  return rows[0]?.number ?? 0;
}

/** Checksum of a migration's SQL, ignoring differences of line endings. */
export function migrationChecksum({ up }: Migration): string {
  return createHash('sha256').update(up.replaceAll('\r\n', '\n')).digest('hex');
}

async function lock(client: pg.ClientBase): Promise<void> {
  try {
    await client.query(`SET statement_timeout = 0; SET lock_timeout = '${lockWaitMs}s'`);
    await client.query(`SELECT pg_advisory_lock(${migrationLock})`);
    await client.query('SET lock_timeout = 0');
  } catch (error) {
    if ((error as pg.DatabaseError).code !== '55P03') throw error;
    throw new MigrationError(`Another process has been migrating this database for ${lockWaitMs} s`);
  }
}

function label({ number, name }: { number: number; name: string }): string {
  return `${String(number).padStart(4, '0')} ${name}`;
}

function checkList(migrations: readonly Migration[]): void {
  let last = 0;
  for (const migration of migrations) {
    if (migration.number <= last)
      throw new MigrationError(`Migration ${label(migration)} stands behind number ${last}`);
    last = migration.number;
  }
}

function checkApplied(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  const newest = applied.at(-1);
  const known = migrations.at(-1)?.number ?? 0;
  if (newest && newest.number > known) {
    throw new MigrationError(
      `The database is newer than this program: it has migration ${label(newest)}, the program knows ${known}. Start the newer program again.`,
    );
  }
  for (const [index, row] of applied.entries()) {
    const migration = migrations[index]!;
    if (row.number !== migration.number) {
      throw new MigrationError(
        `Migration ${label(migration)} is missing in the database although ${label(row)} was applied`,
      );
    }
    if (row.checksum !== migrationChecksum(migration)) {
      throw new MigrationError(
        `Migration ${label(migration)} was changed after the database applied it as ${label(row)}`,
      );
    }
  }
}

async function run(client: pg.ClientBase, migration: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(migration.up);
    await client.query('INSERT INTO schema_migration (number, name, checksum) VALUES ($1, $2, $3)', [
      migration.number,
      migration.name,
      migrationChecksum(migration),
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`Migration ${label(migration)} failed and was undone: ${reason}`, {
      cause: error,
    });
  }
}
