import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { listenOnLoopback } from '../../../test/listen-on-loopback.ts';
import { type TestTerminal, testTerminal } from '../../../test/test-terminal.ts';
import { saveReply } from './save-reply.ts';

const folder = mkdtempSync(join(tmpdir(), 'yagura-save-reply-'));
/** No text in any encoding. */
const bytes = Buffer.from([0, 255, 128, 13, 10, 192]);
let server: Server;
/** Resolves when the connection of the last endless reply is closed. */
let closed: Promise<void>;
let env: Record<string, string>;
let terminal: TestTerminal['terminal'];
let out: TestTerminal['out'];

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/file') return response.end(bytes);
    if (request.url === '/broken') {
      response.writeHead(200, { 'content-length': 100 }).write(bytes, () => response.destroy());
      return;
    }
    if (request.url === '/endless') {
      closed = new Promise((resolve) => response.on('close', resolve));
      return void response.writeHead(200, { 'content-length': 100 }).write(bytes);
    }
    if (request.url?.startsWith('/named'))
      return response
        .writeHead(200, { 'content-disposition': decodeURIComponent(request.url.split('?')[1]!) })
        .end(bytes);
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
  env = { YAGURA_URL: url, YAGURA_TOKEN: 'token', YAGURA_CONFIG_DIR: folder };
  ({ terminal, out } = await testTerminal({ env }));
});
afterAll(() => {
  server.closeAllConnections();
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

test('a file that cannot be written closes the connection, which would keep the process running', async () => {
  const saved = saveReply(terminal, join(folder, 'none', 'below'), { path: '/endless', method: 'GET' });
  await expect(saved).rejects.toMatchObject({ messageKey: 'cli.usage.save' });
  await closed;
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

describe('a file that does not arrive as a whole', () => {
  test('leaves what was there, and nothing beside it', async () => {
    const own = join(folder, 'own');
    mkdirSync(own);
    writeFileSync(join(own, 'saved'), 'before');
    const saved = saveReply(terminal, join(own, 'saved'), { path: '/broken', method: 'GET' });
    await expect(saved).rejects.toMatchObject({ kind: 'unreachable' });
    expect(readdirSync(own)).toEqual(['saved']);
    expect(readFileSync(join(own, 'saved'), 'utf8')).toBe('before');
  });

  test('is deleted on Ctrl-C', async () => {
    const own = join(folder, 'interrupted');
    mkdirSync(own);
    const interrupt = new AbortController();
    const person = await testTerminal({ env, signal: interrupt.signal });
    const saved = saveReply(person.terminal, join(own, 'saved'), { path: '/endless', method: 'GET' });
    await vi.waitFor(() => expect(readdirSync(own)).toHaveLength(1));
    interrupt.abort(new Error('interrupted'));
    await expect(saved).rejects.toThrow();
    expect(readdirSync(own)).toEqual([]);
  });
});

test('replaces a file with the same permissions, by way of links, and writes into what is no file', async () => {
  const to = join(folder, 'replaced');
  writeFileSync(to, 'a longer text than the new one');
  chmodSync(to, 0o600);
  symlinkSync(to, join(folder, 'link'));
  await saveReply(terminal, join(folder, 'link'), { path: '/file', method: 'GET' });
  expect(readFileSync(to)).toEqual(bytes);
  expect(statSync(to).mode & 0o777).toBe(0o600);
  await saveReply(terminal, '/dev/null', { path: '/file', method: 'GET' });
  await expect(saveReply(terminal, folder, { path: '/file', method: 'GET' })).rejects.toMatchObject({
    messageKey: 'cli.usage.save',
  });
});

describe('without --to', () => {
  const file = (header: string) => ({
    path: `/named?${encodeURIComponent(header)}`,
    method: 'GET' as const,
    named: true,
  });

  test('a file goes to stdout, unless that is a terminal', async () => {
    await saveReply(terminal, undefined, { path: '/attached', method: 'GET' });
    expect(out()).toBe('<p>a file</p>');
    const person = await testTerminal({ env, live: true });
    await expect(
      saveReply(person.terminal, undefined, { path: '/attached', method: 'GET' }),
    ).rejects.toMatchObject({ messageKey: 'cli.usage.missing-flag' });
  });

  test.each(['..', '.bashrc', '-rf', '', '../../'])('%j is no name to save under', async (name) => {
    const person = await testTerminal({ env, live: true });
    await expect(
      saveReply(person.terminal, undefined, file(`attachment; filename="${name}"`)),
    ).rejects.toMatchObject({ messageKey: 'cli.usage.missing-flag' });
  });

  test('a file on a terminal has the name in the reply, in this folder, and replaces none', async () => {
    const before = process.cwd();
    const own = join(folder, 'here');
    mkdirSync(own);
    process.chdir(own);
    try {
      const person = await testTerminal({ env, live: true });
      const named = file('attachment; filename="_.pdf"; filename*=UTF-8\'\'..%2F..%2F%E8%A8%98%E9%8C%B2.pdf');
      await saveReply(person.terminal, undefined, named);
      expect(readdirSync(own)).toEqual(['記録.pdf']);
      await expect(saveReply(person.terminal, undefined, named)).rejects.toMatchObject({
        messageKey: 'cli.usage.save-there',
      });
    } finally {
      process.chdir(before);
    }
  });
});
