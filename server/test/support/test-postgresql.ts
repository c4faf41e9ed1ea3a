/**
 * PostgreSQL server for tests: the one named by YAGURA_TEST_DATABASE_URL, or a temporary cluster of the local
 * installation.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@yagura/fixtures/testbed/free-port';
import pg from 'pg';
import { migrations } from '../../src/db/migrations/all.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { migrationsHash } from '../../src/db/pglite/template.ts';

/** A running server. */
export interface TestPostgresql {
  /** URL of its maintenance database, with a user that may create databases. */
  url: string;
  /** Creates an empty UTF-8 database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Creates a database with all tables and no rows, copied from a template created once per server. */
  createDatabaseWithTables(): Promise<string>;
  /** Stops a temporary server and removes its files; on another server, drops the created databases. */
  stop(): Promise<void>;
}

/** Whether a server can be started; with CI=true a missing one is an error, not a reason to do without it. */
export function hasPostgresql(): boolean {
  return Boolean(process.env.YAGURA_TEST_DATABASE_URL || process.env.CI === 'true' || findPrograms());
}

/**
 * Starts a server; returns null and prints the reason when none is available, which is an error with CI=true.
 */
export async function startPostgresql(): Promise<TestPostgresql | null> {
  const given = process.env.YAGURA_TEST_DATABASE_URL;
  if (given) return serve(given, async () => {});
  const programs = findPrograms();
  if (programs) return startCluster(programs);
  const reason = 'no PostgreSQL found: set YAGURA_TEST_DATABASE_URL or install PostgreSQL 15 or newer';
  if (process.env.CI === 'true') throw new Error(reason);
  console.warn(`PostgreSQL tests are skipped, ${reason}`);
  return null;
}

function findPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((left, right) => Number(right) - Number(left))
    : [];
  const folders = [
    process.env.YAGURA_TEST_POSTGRESQL_BIN,
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
    '/opt/homebrew/opt/postgresql/bin',
  ];
  return folders.find((folder) => folder && existsSync(join(folder, 'initdb'))) ?? null;
}

/** PostgreSQL refuses to run as root, so another user's ids are used. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined;
  const id = (flag: string) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout) || 65534;
  return { uid: id('-u'), gid: id('-g') };
}

async function startCluster(programs: string): Promise<TestPostgresql> {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-postgresql-'));
  const as = unprivileged();
  if (as) chownSync(folder, as.uid, as.gid);
  const data = join(folder, 'data');
  const environment: Record<string, string> = { PATH: process.env.PATH ?? '', LC_ALL: 'C' };
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--auth=trust', '--no-sync'],
    { ...as, cwd: folder, encoding: 'utf8', env: environment as NodeJS.ProcessEnv },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error?.message}`);
  const port = await freePort();
  const settings = [
    'fsync=off',
    `unix_socket_directories=${folder}`,
    'listen_addresses=127.0.0.1',
    'max_connections=200',
  ];
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', `${port}`, ...settings.flatMap((one) => ['-c', one])],
    {
      ...as,
      cwd: folder,
      env: environment as NodeJS.ProcessEnv,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const stopNow = () => server.kill('SIGKILL');
  process.once('exit', stopNow);
  await untilReady(server);
  return serve(`postgresql://postgres@127.0.0.1:${port}/postgres`, async () => {
    process.off('exit', stopNow);
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGQUIT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
}

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.once('exit', () => reject(new Error(`postgres ended: ${output}`)));
    server.stderr?.on('data', (bytes: Buffer) => {
      output = (output + bytes).slice(-4_000);
      if (output.includes('ready to accept connections')) resolve();
    });
  });
}

function serve(url: string, stopServer: () => Promise<void>): TestPostgresql {
  const created: string[] = [];
  const within = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const run = (sql: string) => within((client) => client.query(sql));
  const urlOf = (name: string) => {
    const own = new URL(url);
    own.pathname = `/${name}`;
    return own.href;
  };
  const create = async (template: string) => {
    const name = `yagura_test_${randomUUID().replaceAll('-', '')}`;
    await run(`CREATE DATABASE ${name} TEMPLATE ${template} ENCODING 'UTF8'`);
    created.push(name);
    return urlOf(name);
  };
  const model = `yagura_tables_${migrationsHash(migrations)}`;
  /** Takes a lock because test files run in parallel; an incomplete template has another name. */
  const ensureModel = () =>
    within(async (client) => {
      await client.query('SELECT pg_advisory_lock(1)');
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [model]);
      if (rowCount) return;
      const partial = `${model}_partial`;
      await client.query(`DROP DATABASE IF EXISTS ${partial}`);
      await client.query(`CREATE DATABASE ${partial} TEMPLATE template0 ENCODING 'UTF8'`);
      await (await openDatabase({ migrations, databaseUrl: urlOf(partial) })).close();
      await client.query(`ALTER DATABASE ${partial} RENAME TO ${model}`);
    });
  return {
    url,
    createDatabase: () => create('template0'),
    async createDatabaseWithTables() {
      await ensureModel();
      return create(model);
    },
    async stop() {
      if (process.env.YAGURA_TEST_DATABASE_URL) {
        for (const name of created) await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }
      await stopServer();
    },
  };
}
