import { expect, test } from 'vitest';
import type { LogLine } from '../common/log.ts';
import { createApp } from './app.ts';

async function replyTo(path: string, lines: LogLine[]) {
  const app = createApp((line) => lines.push(line), {
    publicUrl: 'http://localhost',
    trustedProxies: [],
    bodies: undefined!,
    threads: undefined!,
    spaceId: 'a',
  });
  app.get('/api/fails/:id', async () => {
    throw new Error('the query failed');
  });
  app.get('/api/works/:id', async (request) => {
    request.log.warn({ attempt: 2, req: request }, 'odd');
    return 'yes';
  });
  const { statusCode } = await app.inject({ url: path, headers: { authorization: 'Bearer canary' } });
  await app.close();
  return statusCode;
}

test('the lines about a request have one id and name the route, not the URL', async () => {
  const lines: LogLine[] = [];
  expect(await replyTo('/api/fails/canary?token=canary', lines)).toBe(500);
  const requestId = expect.stringMatching(/^[\da-f-]{36}$/);
  const route = '/api/fails/:id';
  expect(lines).toEqual([
    expect.objectContaining({ level: 'error', message: 'request failed', route, requestId }),
    expect.objectContaining({ level: 'debug', message: 'request', route, requestId, status: 500 }),
  ]);
  expect(new Set(lines.map((line) => line.requestId)).size).toBe(1);
  expect(JSON.stringify(lines)).not.toContain('canary');
});

test('the log of a request arrives in the server log with its id', async () => {
  const lines: LogLine[] = [];
  expect(await replyTo('/api/works/canary', lines)).toBe(200);
  expect(lines[0]).toEqual({
    level: 'warn',
    message: 'odd',
    attempt: 2,
    req: { id: lines[1]!.requestId, method: 'GET', route: '/api/works/:id' },
    requestId: lines[1]!.requestId,
  });
});

test('nothing above debug is logged for a request that works', async () => {
  const lines: LogLine[] = [];
  await replyTo('/api/unknown', lines);
  expect(lines.map(({ level }) => level)).toEqual(['debug']);
});
