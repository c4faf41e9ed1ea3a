import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestClock } from '../../../test/support/test-clock.ts';
import { startPostgresql, type TestPostgresql } from '../../../test/support/test-postgresql.ts';
import { tryAdvisoryLock } from '../../jobs/advisory-lock.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../open-database.ts';
import type { StoreLogLine } from '../store-log.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import { describeUrl } from './open-postgresql.ts';

describe('the place of a URL', () => {
  test.each([
    ['postgresql://user:secret@db.example:6000/space', 'db.example:6000/space'],
    ['postgres://user:secret@db.example/space?sslmode=disable', 'db.example:5432/space'],
    ['postgresql://user:secret@localhost', 'localhost:5432'],
    ['postgresql:///space?host=/run/postgresql', '/run/postgresql:5432/space'],
  ])('%s is told without the password', (url, place) => {
    expect(describeUrl(url)).toBe(place);
  });

  test.each([
    '',
    'secret',
    'mysql://user:secret@db/space',
    'postgresql://user:secret@db:port/space',
    'http://secret',
  ])('"%s" is refused without repeating it', (url) => {
    let error: unknown;
    try {
      describeUrl(url);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(Error);
    expect(inspect(error, { depth: 10 })).not.toMatch(/secret[^s]/);
  });
});

describe('a server that is not there', () => {
  test('is waited for, then named without the password', async () => {
    const listener = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as { port: number };
    const clock = createTestClock();
    const lines: StoreLogLine[] = [];
    let end: unknown;
    const opening = openDatabase({
      databaseUrl: `postgresql://user:hunter2@127.0.0.1:${port}/space`,
      migrations: [],
      clock,
      connectTimeoutMs: 3_000,
      log: (line) => {
        lines.push(line);
        // The clock is simulated: each failed attempt makes the next one due.
        setImmediate(() => void clock.advance(1_000));
      },
    }).catch((error: unknown) => {
      end = error;
    });
    await opening;
    listener.close();
    expect(end).toBeInstanceOf(StoreUnavailable);
    expect((end as Error).message).toContain(`PostgreSQL at 127.0.0.1:${port}/space: `);
    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect(inspect([end, lines], { depth: 10 })).not.toContain('hunter2');
  });
});

describe('a real server', () => {
  let server: TestPostgresql | null = null;
  let url = '';
  let one: Database;
  let two: Database;

  beforeAll(async () => {
    server = await startPostgresql();
    if (!server) return;
    url = await server.createDatabase();
    one = await openDatabase({ databaseUrl: url, migrations: [], statementTimeoutMs: 1_000 });
    two = await openDatabase({ databaseUrl: url, migrations: [] });
  }, 60_000);
  afterAll(async () => {
    await one?.close();
    await two?.close();
    await server?.stop();
  });

  /** Terminates all other database connections that run or last ran a matching statement. */
  const terminate = (pattern: string) =>
    two.query(
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND query ~ $1',
      [pattern],
    );

  test('names the place of a database that does not exist, without the password', async (context) => {
    if (!server) return context.skip();
    const missing = new URL(url);
    missing.pathname = '/missing';
    const place = describeUrl(missing.href);
    await expect(openDatabase({ databaseUrl: missing.href, migrations: [] })).rejects.toThrow(
      `PostgreSQL at ${place}: database "missing" does not exist`,
    );
  });

  test('knows the connections by name and has their settings', async (context) => {
    if (!server) return context.skip();
    const { rows } = await one.query(
      `SELECT current_setting('application_name') AS name, current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS timeout`,
    );
    expect(rows).toEqual([{ name: 'yagura', zone: 'UTC', timeout: '1s' }]);
  });

  test('ends a statement that takes too long, as not available', async (context) => {
    if (!server) return context.skip();
    await expect(one.query('SELECT pg_sleep(30)')).rejects.toThrow(StoreUnavailable);
    expect((await one.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('a lost connection fails its own statement, and the next one works', async (context) => {
    if (!server) return context.skip();
    const pending = one.transaction(async (tx) => {
      await tx.query("SELECT 'cut me'");
      await terminate('cut me');
      await tx.query('SELECT 1');
    });
    await expect(pending).rejects.toThrow(StoreUnavailable);
    await terminate('.');
    expect((await one.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('tells once of all the waiting connections that a server ends', async (context) => {
    if (!server) return context.skip();
    const lines: StoreLogLine[] = [];
    const log = (line: StoreLogLine) => void lines.push(line);
    const three = await openDatabase({ databaseUrl: url, migrations: [], log });
    await Promise.all([1, 2, 3].map(() => three.query("SELECT pg_sleep(0.1), 'waiting'")));
    await terminate("'waiting'");
    await three.query('SELECT 1');
    await three.query('SELECT 1');
    await three.close();
    expect(lines.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^waiting store connections were lost: /),
    ]);
  });

  test('carries notifications between replicas, also after the connection was lost', async (context) => {
    if (!server) return context.skip();
    const heard: string[] = [];
    let wake = () => {};
    const heardNext = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    const stop = await one.listen(
      'changes',
      (payload) => {
        heard.push(payload);
        wake();
      },
      () => {
        heard.push('missed');
        wake();
      },
    );
    let next = heardNext();
    await two.notify('changes', 'first');
    await next;
    next = heardNext();
    await terminate('LISTEN');
    await next;
    next = heardNext();
    await two.transaction((tx) => tx.notify('changes', 'second'));
    await next;
    await stop();
    expect(heard).toEqual(['first', 'missed', 'second']);
  });

  test('holds a lock for as long as it is connected, also after the connection was lost', async (context) => {
    if (!server) return context.skip();
    const isFree = () => two.transaction((tx) => tryAdvisoryLock(two, tx, '77', 'process'));
    const holder = await openDatabase({ databaseUrl: url, migrations: [] });
    await holder.holdLock!('77', 'process');
    expect(await isFree()).toBe(false);
    let onMissed = () => {};
    const missed = new Promise<void>((resolve) => {
      onMissed = resolve;
    });
    await holder.listen('changes', () => {}, onMissed);
    await terminate('LISTEN');
    await missed;
    expect(await isFree()).toBe(false);
    await holder.close();
    await vi.waitFor(async () => expect(await isFree()).toBe(true));
  });

  test('must hold text as UTF-8', async (context) => {
    if (!server) return context.skip();
    await two.query("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
    const latin = new URL(url);
    latin.pathname = '/latin';
    await expect(openDatabase({ databaseUrl: latin.href, migrations: [] })).rejects.toThrow(
      'has the encoding LATIN1',
    );
    await two.query('DROP DATABASE latin');
  });
});
