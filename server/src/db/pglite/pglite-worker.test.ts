import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDataFolder, testTemplate } from '../../../test/support/data-folder.ts';
import { createTestClock } from '../../../test/support/test-clock.ts';
import { systemClock } from '../clock.ts';
import type { StoreLogLine } from '../store-log.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import { type PgliteWorker, startPgliteWorker } from './pglite-worker.ts';

// Starting an engine takes seconds when the machine is busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

// Offset of ControlFileData.state in pg_control, and its value after a clean shutdown (see PostgreSQL's
// source).
const stateOffset = 16;
const shutDown = 1;

let data: ReturnType<typeof createDataFolder>;
let engine: PgliteWorker | undefined;
let lines: StoreLogLine[];

beforeEach(() => {
  data = createDataFolder();
  lines = [];
});
afterEach(async () => {
  await engine?.close();
  engine = undefined;
  data.remove();
});

async function start(options: Partial<Parameters<typeof startPgliteWorker>[0]> = {}): Promise<PgliteWorker> {
  const templateFile = await testTemplate();
  engine = await startPgliteWorker({
    folder: data.folder,
    templateFile,
    clock: systemClock,
    log: (line) => lines.push(line),
    ...options,
  });
  return engine;
}

async function connect(running: PgliteWorker, options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    stream: () => running.socket(),
    ...options,
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('durability', () => {
  test('every commit reaches the disk by fsync, reading does not', async () => {
    const running = await start();
    const client = await connect(running);
    await client.query('CREATE TABLE row (id int PRIMARY KEY)');
    await client.query('SELECT count(*) FROM row');
    const before = await running.statistics();
    for (let id = 0; id < 50; id += 1)
      await client.query({ name: 'add', text: 'INSERT INTO row VALUES ($1)', values: [id] });
    const after = await running.statistics();
    expect(after.fsyncs - before.fsyncs).toBeGreaterThanOrEqual(50);
    for (let id = 0; id < 50; id += 1)
      await client.query({ name: 'get', text: 'SELECT * FROM row WHERE id = $1', values: [id] });
    expect((await running.statistics()).fsyncs).toBe(after.fsyncs);
    await client.query('CHECKPOINT');
    expect((await running.statistics()).fsyncs).toBeGreaterThan(after.fsyncs);
  });

  test('settings that durability rests on are in force', async () => {
    const client = await connect(await start());
    const show = async (name: string) =>
      (await client.query(`SELECT current_setting('${name}') AS value`)).rows[0].value;
    expect(await show('fsync')).toBe('on');
    expect(await show('wal_sync_method')).toBe('fsync');
    expect(await show('full_page_writes')).toBe('on');
    expect(await show('synchronous_commit')).toBe('on');
    expect(await show('shared_buffers')).toBe('32MB');
  });

  test('a statement that stores the largest message writes no temporary file', async () => {
    const client = await connect(await start());
    const { rows } = await client.query({
      text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) WITH arrived AS MATERIALIZED (
          SELECT * FROM unnest(ARRAY[$1::bytea]) WITH ORDINALITY AS x(body, position)
        ) SELECT length(a.body), length(b.body) FROM arrived a JOIN arrived b USING (position)`,
      values: [Buffer.alloc(10 << 20, 'x')],
    });
    expect(rows[0]['QUERY PLAN'][0].Plan).toMatchObject({ 'Actual Rows': 1, 'Temp Written Blocks': 0 });
  });
});

describe('the folder', () => {
  test('an interrupted first start is begun again', async () => {
    mkdirSync(join(data.folder, 'engine'));
    writeFileSync(join(data.folder, 'engine', 'PG_VERSION'), '18\n');
    writeFileSync(join(data.folder, 'engine.initialising'), '');
    const client = await connect(await start());
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(existsSync(join(data.folder, 'engine.initialising'))).toBe(false);
  });

  test.each([
    ['17\n', 'was written by PostgreSQL 17, this engine is PostgreSQL 18'],
    [undefined, 'is not empty and holds no database'],
  ])('with PG_VERSION %j is refused and left as it is', async (version, message) => {
    mkdirSync(join(data.folder, 'engine'));
    writeFileSync(join(data.folder, 'engine', 'note.txt'), 'mine');
    if (version) writeFileSync(join(data.folder, 'engine', 'PG_VERSION'), version);
    const files = readdirSync(join(data.folder, 'engine'));
    await expect(start()).rejects.toThrow(message);
    expect(readdirSync(join(data.folder, 'engine'))).toEqual(files);
  });

  test('has no other database whose transaction numbers could run out', async () => {
    const client = await connect(await start());
    expect((await client.query('SELECT datname FROM pg_database')).rows).toEqual([{ datname: 'postgres' }]);
  });
});

describe('the bridge', () => {
  test('runs named statements, and the next client may use the same names', async () => {
    const running = await start();
    for (const text of ['SELECT $1::int + 1 AS sum', 'SELECT $1::int + 2 AS sum']) {
      const client = await connect(running);
      const statement = { name: 'sum', text, values: [1] };
      const expected = text.includes('+ 1') ? 2 : 3;
      expect((await client.query(statement)).rows).toEqual([{ sum: expected }]);
      expect((await client.query(statement)).rows).toEqual([{ sum: expected }]);
      await client.end();
    }
  });

  test('a client that leaves an open transaction takes it along', async () => {
    const running = await start();
    const first = await connect(running);
    await first.query('CREATE TABLE row (id int)');
    await first.query('BEGIN');
    await first.query('INSERT INTO row VALUES (1)');
    await first.end();
    const second = await connect(running);
    expect((await second.query('SELECT count(*)::int AS rows FROM row')).rows).toEqual([{ rows: 0 }]);
  });

  test('pipelined statements answer in order, each with its own error', async () => {
    const client = await connect(await start(), { pipeline: true });
    const answers = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) =>
        client.query({ name: 'divide', text: 'SELECT 100 / $1::int AS part', values: [index % 10] }),
      ),
    );
    for (const [index, answer] of answers.entries()) {
      if (index % 10 === 0) expect(answer).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
      else expect(answer).toMatchObject({ value: { rows: [{ part: Math.trunc(100 / (index % 10)) }] } });
    }
  });

  test('an error in a transaction leaves it failed until ROLLBACK', async () => {
    const client = await connect(await start());
    await client.query('BEGIN');
    await expect(client.query('SELECT nothing')).rejects.toMatchObject({ code: '42703' });
    await expect(client.query('SELECT 1')).rejects.toMatchObject({ code: '25P02' });
    await client.query('ROLLBACK');
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('values of 5 MB and results of 20 MB pass whole', async () => {
    const client = await connect(await start());
    const value = Array.from({ length: 5_000 }, (_, line) => `${line}`.padStart(1_048, '漢')).join('\n');
    const { rows } = await client.query('SELECT $1::text AS value, octet_length($1)::int AS bytes', [value]);
    expect(rows[0].bytes).toBe(Buffer.byteLength(value));
    expect(rows[0].value).toBe(value);
    const many = await client.query("SELECT repeat('x', 20000) AS text FROM generate_series(1, 1000)");
    expect(many.rows.every(({ text }) => text.length === 20_000)).toBe(true);
    expect(many.rows).toHaveLength(1_000);
  });

  test('delivers notifications', async () => {
    const client = await connect(await start());
    const heard: unknown[] = [];
    client.on('notification', ({ channel, payload }) => heard.push([channel, payload]));
    await client.query('LISTEN changes');
    await client.query("SELECT pg_notify('changes', 'あ')");
    await client.query('SELECT 1');
    expect(heard).toEqual([['changes', 'あ']]);
  });

  test('a reader that stops reading stops the engine, and nothing is lost when it goes on', async () => {
    const running = await start();
    const client = await connect(running, { pipeline: true });
    const socket = (client as unknown as { connection: { stream: NodeJS.ReadableStream } }).connection.stream;
    await client.query('SELECT 1');
    const before = await running.statistics();
    socket.pause();
    const answers = Array.from({ length: 40 }, () => client.query("SELECT repeat('x', 1000000) AS text"));
    await new Promise((resolve) => setImmediate(resolve));
    let units = before.units;
    for (let quiet = 0; quiet < 20; quiet += 1) {
      const now = (await running.statistics()).units;
      if (now !== units) quiet = 0;
      units = now;
    }
    expect(units - before.units).toBeLessThan(5);
    socket.resume();
    expect((await Promise.all(answers)).every(({ rows }) => rows[0].text.length === 1_000_000)).toBe(true);
  });
});

describe('what could exhaust the stack', () => {
  test('is refused as an error, and the engine goes on', async () => {
    const running = await start();
    const client = await connect(running);
    const codeOf = (text: string, values: unknown[] = []) =>
      client.query(text, values).then(
        () => 'ok',
        (error: { code?: string }) => error.code,
      );
    for (let round = 0; round < 3; round += 1) {
      expect(await codeOf('SELECT $1::jsonb', [nested(1_000)])).toBe('ok');
      expect(await codeOf('SELECT $1::jsonb', [nested(10_000)])).toBe('54001');
      expect(await codeOf('SELECT $1::jsonb', [nested(500_000)])).toBe('54001');
      expect(await codeOf(`SELECT ${'1+'.repeat(50_000)}1`)).toBe('54001');
      expect(await codeOf('SELECT $1::text ~ $2', ['a', `${'('.repeat(50_000)}a${')'.repeat(50_000)}`])).toBe(
        '2201B',
      );
    }
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('after a crash', () => {
  test('what was pending is rejected, the next client finds what was committed', async () => {
    const running = await start();
    const client = await connect(running);
    await client.query('CREATE TABLE row (id int)');
    await client.query('INSERT INTO row VALUES (1)');
    const pending = client.query('SELECT count(*) FROM generate_series(1, 100000000)');
    const rejected = expect(pending).rejects.toThrow(StoreUnavailable);
    await running.kill();
    await rejected;
    await expect(client.query('SELECT 1')).rejects.toThrow('not queryable');
    const next = await connect(running);
    expect((await next.query('SELECT id FROM row')).rows).toEqual([{ id: 1 }]);
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  test('of its own making, the reason is told', async () => {
    const running = await start();
    const client = await connect(running);
    await client.query('CREATE TABLE row (id int)');
    await expect(client.query('SELECT $1::jsonb', [nested(2_000_000)])).rejects.toThrow(
      'The storage engine stopped: ',
    );
    const next = await connect(running);
    expect((await next.query('SELECT count(*)::int AS rows FROM row')).rows).toEqual([{ rows: 0 }]);
  });

  test('the engine is not started more than five times again within a minute, and says so', {
    timeout: 60_000,
  }, async () => {
    const clock = createTestClock();
    const running = await start({ clock });
    let kills = 0;
    let refused: unknown;
    while (!refused && kills < 10) {
      await running.kill();
      kills += 1;
      refused = await running.statistics().then(
        () => undefined,
        (error: unknown) => error,
      );
    }
    expect(kills).toBe(6);
    expect(refused).toBeInstanceOf(StoreUnavailable);
    expect((refused as Error).message).toMatch(/stopped 6 times within a minute.*the last reason: /);
    await expect(connect(running)).rejects.toThrow('stopped 6 times');
    await clock.advance(60_000);
    const client = await connect(running);
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});

test('a closed engine has written a checkpoint and refuses new clients', async () => {
  const running = await start();
  const client = await connect(running);
  await client.query('CREATE TABLE row (id int)');
  await client.end();
  await running.close();
  await expect(connect(running)).rejects.toThrow('The storage engine is closed');
  expect(readFileSync(join(data.folder, 'engine', 'global', 'pg_control')).readUInt32LE(stateOffset)).toBe(
    shutDown,
  );
  const again = await connect(await start());
  expect((await again.query('SELECT count(*)::int AS rows FROM row')).rows).toEqual([{ rows: 0 }]);
});

test('a fenced engine ends at once and stays away', async () => {
  const running = await start();
  const client = await connect(running);
  const pending = expect(client.query('SELECT count(*) FROM generate_series(1, 100000000)')).rejects.toThrow(
    'another process',
  );
  await running.fence('another process has the folder');
  await pending;
  await expect(connect(running)).rejects.toThrow('another process has the folder');
});
