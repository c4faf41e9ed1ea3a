import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestClock } from '../../test/support/test-clock.ts';
import { Health } from './health.ts';

let server: Server;
let origin: string;
let answer: () => Promise<number | null>;
let asked: number;
let lines: string[];
let reached: number;
let disk: { folder: string; minFreeBytes: number };
let receiving: string | null;
const clock = createTestClock();

beforeEach(async () => {
  asked = 0;
  reached = 0;
  receiving = null;
  lines = [];
  answer = async () => 7;
  disk = { folder: mkdtempSync(join(tmpdir(), 'yagura-health-')), minFreeBytes: 1 };
  const health = new Health({
    disk,
    database: {
      async query<Row>() {
        asked += 1;
        return { rows: [{ number: await answer() }] as Row[], rowCount: 1 };
      },
    },
    clock,
    log: ({ message }) => lines.push(message),
    latestMigration: 7,
    notReceivingReason: async () => receiving,
    headers: { 'x-content-type-options': 'nosniff' },
  });
  server = createServer((request, response) => {
    if (!health.handle(request, response)) response.writeHead(418).end();
    reached += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(disk.folder, { recursive: true, force: true });
});

async function get(path: string, method = 'GET') {
  const reply = await fetch(origin + path, { method });
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}

test.each([
  ['/healthz', 'GET', 200, 'ok\n'],
  ['/healthz?probe=1', 'HEAD', 200, ''],
  ['/readyz', 'GET', 200, 'ready\n'],
  ['/readyz', 'HEAD', 200, ''],
  ['/readyz', 'POST', 405, 'only GET is answered\n'],
  ['/readyz/more', 'GET', 418, ''],
  ['/', 'GET', 418, ''],
])('%s by %s is a %i', async (path, method, status, text) => {
  expect(await get(path, method)).toMatchObject({ status, text });
});

test('is not ready while no message can be taken in', async () => {
  receiving = 'the intake journal is full';
  expect(await get('/readyz')).toMatchObject({ status: 503, text: 'the intake journal is full\n' });
  expect(await get('/healthz')).toMatchObject({ status: 200 });
});

test('says nothing that could be kept or sniffed', async () => {
  const { headers } = await get('/readyz');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
});

test.each([
  ['tables of a newer program', async () => 8, 'the tables are those of a newer program\n'],
  ['tables that were not brought up to date', async () => 6, 'migrations are missing\n'],
  ['tables that are not there', async () => null, 'migrations are missing\n'],
  [
    'a store that is away',
    async () => Promise.reject(new Error('at 10.1.2.3 nobody answers')),
    'the store cannot be reached\n',
  ],
])('%s: alive, but not ready', async (_name, now, text) => {
  answer = now;
  expect(await get('/readyz')).toMatchObject({ status: 503, text });
  expect((await get('/healthz')).status).toBe(200);
});

test('the store is asked once a second at most, and its absence is logged once', async () => {
  answer = async () => Promise.reject(new Error('away'));
  await Promise.all([get('/readyz'), get('/readyz'), get('/readyz')]);
  expect(asked).toBe(1);
  await clock.advance(1_000);
  expect((await get('/readyz')).status).toBe(503);
  answer = async () => 7;
  await clock.advance(1_000);
  expect((await get('/readyz')).status).toBe(200);
  expect(asked).toBe(3);
  expect(lines).toEqual(['not ready: the store cannot be reached', 'ready again']);
});

test('a store that never answers is waited for two seconds, and not asked twice', async () => {
  let free = (_number: number) => {};
  answer = () => new Promise((resolve) => (free = resolve));
  for (const time of [1, 2]) {
    const reply = get('/readyz');
    while (reached < time || asked < 1) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(2_000);
    expect(await reply).toMatchObject({ status: 503, text: 'the store does not answer\n' });
  }
  expect(asked).toBe(1);
  free(7);
  await new Promise((resolve) => setImmediate(resolve));
  expect((await get('/readyz')).status).toBe(200);
});

test('is not ready while its disk is full or its folder is away, and says so once', async () => {
  disk.minFreeBytes = Number.MAX_SAFE_INTEGER;
  expect(await get('/readyz')).toMatchObject({ status: 503, text: 'the disk of the data folder is full\n' });
  await clock.advance(1_000);
  expect((await get('/readyz')).status).toBe(503);
  disk.minFreeBytes = 1;
  await clock.advance(1_000);
  expect((await get('/readyz')).status).toBe(200);
  rmSync(disk.folder, { recursive: true });
  await clock.advance(1_000);
  expect(await get('/readyz')).toMatchObject({ status: 503, text: 'the data folder cannot be written\n' });
  expect((await get('/healthz')).status).toBe(200);
  expect(lines).toEqual([
    'not ready: the disk of the data folder is full',
    'ready again',
    'not ready: the data folder cannot be written',
  ]);
});
