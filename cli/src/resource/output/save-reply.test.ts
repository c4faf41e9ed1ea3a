import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenOnLoopback } from '../../../test/listen-on-loopback.ts';
import { type TestTerminal, testTerminal } from '../../../test/test-terminal.ts';
import { saveReply } from './save-reply.ts';

const folder = mkdtempSync(join(tmpdir(), 'yagura-save-reply-'));
/** No text in any encoding. */
const bytes = Buffer.from([0, 255, 128, 13, 10, 192]);
let server: Server;
let terminal: TestTerminal['terminal'];
let out: TestTerminal['out'];

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/file') return response.end(bytes);
    const html = { 'content-type': 'text/html; charset=utf-8' };
    if (request.url === '/html') return response.writeHead(200, html).end('<p>a mail</p>');
    if (request.url === '/attached')
      return response
        .writeHead(200, { ...html, 'content-disposition': 'attachment; filename="a.html"' })
        .end('<p>a file</p>');
    const problem = { title: 'Not found', status: 404, detail: 'no such file' };
    return response
      .writeHead(404, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify(problem));
  });
  const url = await listenOnLoopback(server);
  const env = { YAGURA_URL: url, YAGURA_TOKEN: 'token', YAGURA_CONFIG_DIR: folder };
  ({ terminal, out } = await testTerminal({ env }));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

test('saves a reply byte for byte', async () => {
  const to = join(folder, 'saved');
  await saveReply(terminal, to, { path: '/file', method: 'GET' });
  expect(readFileSync(to)).toEqual(bytes);
});

test('writes a reply to stdout for -', async () => {
  await saveReply(terminal, '-', { path: '/attached', method: 'GET' });
  expect(out()).toBe('<p>a file</p>');
});

test('saves HTML that is asked for, and HTML that is a file; any other is a page of another server', async () => {
  const to = join(folder, 'page');
  await saveReply(terminal, to, { path: '/html', method: 'GET', accept: 'text/html' });
  expect(readFileSync(to, 'utf8')).toBe('<p>a mail</p>');
  await saveReply(terminal, to, { path: '/attached', method: 'GET' });
  expect(readFileSync(to, 'utf8')).toBe('<p>a file</p>');
  await expect(saveReply(terminal, to, { path: '/api/html', method: 'GET' })).rejects.toMatchObject({
    status: 404,
  });
  await expect(saveReply(terminal, to, { path: '/html', method: 'GET' })).rejects.toMatchObject({
    messageKey: 'cli.usage.web-page',
  });
});

test('tells why there is none', async () => {
  const saved = saveReply(terminal, join(folder, 'none'), { path: '/other', method: 'POST', body: {} });
  await expect(saved).rejects.toMatchObject({ status: 404, detail: 'no such file' });
});
