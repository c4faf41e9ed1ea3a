import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenOnLoopback } from '../../../test/listen-on-loopback.ts';
import { testTerminal } from '../../../test/test-terminal.ts';
import { saveReply } from './save-reply.ts';

const folder = mkdtempSync(join(tmpdir(), 'yagura-save-reply-'));
/** No text in any encoding. */
const bytes = Buffer.from([0, 255, 128, 13, 10, 192]);
let server: Server;
let terminal: Awaited<ReturnType<typeof testTerminal>>['terminal'];

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/file') return response.end(bytes);
    const problem = { title: 'Not found', status: 404, detail: 'no such file' };
    return response
      .writeHead(404, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify(problem));
  });
  const url = await listenOnLoopback(server);
  const env = { YAGURA_URL: url, YAGURA_TOKEN: 'token', YAGURA_CONFIG_DIR: folder };
  terminal = (await testTerminal({ env })).terminal;
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

test('tells why there is none', async () => {
  const saved = saveReply(terminal, join(folder, 'none'), { path: '/other', method: 'POST', body: {} });
  await expect(saved).rejects.toMatchObject({ status: 404, detail: 'no such file' });
});
