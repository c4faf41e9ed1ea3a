import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { openSession } from '../signin/session.ts';
import { fetchBytes, fetchContent } from './fetch-content.ts';

let server: Server;
let env: Record<string, string>;
let refusals: { status: number; headers?: Record<string, string>; body: string }[] = [];
let closed: Promise<void>;

beforeAll(async () => {
  server = createServer((request, response) => {
    closed = new Promise((resolve) => response.on('close', resolve));
    const refusal = refusals.shift();
    if (refusal) return response.writeHead(refusal.status, refusal.headers).end(refusal.body);
    return reply(request.url!, response);
  });
  env = { YAGURA_URL: await listenOnLoopback(server), YAGURA_TOKEN: 't' };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(() => {
  refusals = [];
});

function reply(url: string, response: ServerResponse): void {
  response.setHeader('content-type', 'text/csv; charset=utf-8');
  if (url === '/stalled') response.write('first');
  else if (url === '/refused-and-stalled') response.writeHead(500).write('{');
  else response.end('whole');
}

async function open(
  path: string,
  options: { signal?: AbortSignal; idleMs?: number; mediaType?: string } = {},
) {
  const { signal, ...request } = options;
  const { terminal } = await testTerminal({ env, signal });
  const { transport } = openSession(terminal);
  const waits: number[] = [];
  transport.retry = { random: () => 0, wait: async (ms) => void waits.push(ms) };
  return { terminal, transport, waits, request: { path, accept: '*/*', ...request } };
}

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('a body that stalls is an error that names the space and the time, and closes the connection', async () => {
  const { terminal, transport, request } = await open('/stalled', { idleMs: 50 });
  await expect(readAll(fetchBytes(terminal, transport, request))).rejects.toMatchObject({
    kind: 'unreachable',
    detail: `${transport.origin}, from YAGURA_URL (the download stopped: no data for 0.05 s)`,
  });
  await closed;
});

test('a refusal whose body stalls ends as well', async () => {
  const { terminal, transport, request } = await open('/refused-and-stalled', { idleMs: 50 });
  await expect(fetchContent(terminal, transport, request)).rejects.toMatchObject({ kind: 'unreachable' });
  await closed;
});

test('a reader that takes long is not a body that stalls', async () => {
  const { terminal, transport, request } = await open('/whole', { idleMs: 30 });
  const { bytes } = await fetchContent(terminal, transport, request);
  let size = 0;
  for await (const chunk of bytes) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    size += chunk.length;
  }
  expect(size).toBe(5);
});

test('the connection is closed when the reader stops, or does not begin', async () => {
  const { terminal, transport, request } = await open('/stalled');
  for await (const _ of fetchBytes(terminal, transport, request)) break;
  await closed;
  (await fetchContent(terminal, transport, request)).discard();
  await closed;
});

test('Ctrl-C stays an abort', async () => {
  const stop = new AbortController();
  const { terminal, transport, request } = await open('/stalled', { signal: stop.signal });
  const reading = async () => {
    for await (const _ of fetchBytes(terminal, transport, request)) stop.abort();
  };
  await expect(reading()).rejects.not.toMatchObject({ kind: 'unreachable' });
});

test('a busy server is asked again after the time that it names', async () => {
  const { terminal, transport, request, waits } = await open('/whole');
  refusals = [429, 503].map((status) => ({ status, headers: { 'retry-after': '2' }, body: '{}' }));
  expect(await readAll(fetchBytes(terminal, transport, request))).toBe('whole');
  expect(waits).toEqual([2000, 2000]);
});

test('a refusal is the problem of its body, or of its status if a proxy replied', async () => {
  const { terminal, transport, request } = await open('/whole');
  refusals = [
    { status: 404, body: JSON.stringify({ status: 404, title: 'Not found', detail: 'gone' }) },
    { status: 429, headers: { 'retry-after': '60' }, body: 'slow down' },
    { status: 401, body: '{}' },
  ];
  const asked = () => fetchContent(terminal, transport, request);
  await expect(asked()).rejects.toMatchObject({ kind: 'not-found', detail: 'gone' });
  await expect(asked()).rejects.toMatchObject({ kind: 'too-many-requests', retryAfter: 60 });
  await expect(asked()).rejects.toMatchObject({ kind: 'sign-in-required', detail: /YAGURA_URL/ });
});

test('a reply of another media type comes from another server', async () => {
  const { terminal, transport, request } = await open('/whole', { mediaType: 'text/csv' });
  expect(await readAll(fetchBytes(terminal, transport, request))).toBe('whole');
  const other = fetchContent(terminal, transport, { ...request, mediaType: 'application/pdf' });
  await expect(other).rejects.toMatchObject({ kind: 'unreachable' });
});
