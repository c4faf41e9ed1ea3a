// `imports exec --wait` over a real connection; the test scripts the replies.
import { createServer, type Server } from 'node:http';
import type { BulkImportDetail } from '@yagura/core/alerthub/bulk/bulk-job';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { executeImport } from './bulk-import.ts';

const id = '01a1fea7-056f-700d-b199-539c2daf013a';
const path = `/api/apps/alerthub/bulk-operations/scopes/imports/${id}`;

let server: Server;
let origin: string;
let asked: string[];
/** Status code of the reply to the execution. */
let execStatus: number;
/** Replies to the reads of the import, in order; a number is the status code of a failure. */
let details: (BulkImportDetail['status'] | number)[];

const detail = (status: BulkImportDetail['status']): BulkImportDetail => ({
  importId: id,
  kind: 'scopes',
  status,
  fileName: 'scopes.csv',
  size: 10,
  creates: 2,
  updates: 0,
  deletes: 0,
  unchanged: 0,
  errorCount: 0,
  reason: status === 'failed' ? 'A scope has changed.' : null,
  requestedBy: 'Hana',
  requestedAt: '2026-01-31T09:00:00.000Z',
  startedAt: '2026-01-31T09:00:00.000Z',
  endedAt: null,
  errors: [],
});

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url!.replace(path, '')}`);
    const isRead = request.method === 'GET';
    const next = isRead ? details.shift()! : execStatus;
    const code = typeof next === 'number' ? next : 200;
    response.writeHead(code, { 'content-type': 'application/json' });
    if (code >= 400) response.end(JSON.stringify({ title: 'It is broken', status: code }));
    else response.end(JSON.stringify(typeof next === 'string' ? detail(next) : {}));
  });
  origin = await listenOnLoopback(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  execStatus = 200;
});

async function execute() {
  const { terminal, out } = await testTerminal({ env: { YAGURA_URL: origin, YAGURA_TOKEN: 't' } });
  await executeImport(terminal, 'scopes', id, { wait: true, json: 'status' });
  return JSON.parse(out());
}

test('a finished import is reported after one read, without waiting for a change', async () => {
  details = ['succeeded', 'succeeded'];
  expect(await execute()).toEqual({ status: 'succeeded' });
  expect(asked).toEqual(['POST /exec', 'GET ']);
});

test('an import that failed is reported after one read', async () => {
  details = ['failed', 'failed'];
  await expect(execute()).rejects.toMatchObject({ detail: 'A scope has changed.' });
  expect(asked).toEqual(['POST /exec', 'GET ']);
});

test('the wait goes on although the execution lost its connection', async () => {
  execStatus = 503;
  details = ['processing', 'succeeded'];
  expect(await execute()).toEqual({ status: 'succeeded' });
  expect(details).toEqual([]);
});

test('a refusal ends the wait', async () => {
  execStatus = 403;
  details = [];
  await expect(execute()).rejects.toMatchObject({ kind: 'forbidden' });
  execStatus = 200;
  details = [404];
  await expect(execute()).rejects.toMatchObject({ kind: 'not-found' });
});
