// `api` over a real connection to a server that echoes requests and pages a list.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { type ApiOptions, callApi } from './api-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'yagura-api-'));
const rows = Array.from({ length: 5 }, (_, number) => ({ number }));
let server: Server;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://localhost');
    const reply = (status: number, data: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data));
    if (url.pathname === '/page' || url.pathname === '/api/page')
      return response.writeHead(404, { 'content-type': 'text/html' }).end('<html>');
    if (url.pathname === '/moved')
      return response.writeHead(302, { location: '/oidc/auth?state=secret' }).end();
    if (url.pathname === '/api/refused') return reply(403, { title: 'Access denied', status: 403 });
    if (url.pathname !== '/api/rows')
      return reply(200, { method: request.method, url: request.url, body: await text(request) });
    const [offset, limit] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name)));
    reply(200, { items: rows.slice(offset!, offset! + limit!), total: rows.length, limit, offset });
  });
  const url = await listenOnLoopback(server);
  const credential = { kind: 'token', token: 'secret' };
  const profiles = { current: 'p', profiles: { p: { url, credential } } };
  writeFileSync(join(folder, 'profiles.json'), JSON.stringify(profiles));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

async function api(method: string, path: string, options: ApiOptions = {}) {
  const { terminal, out } = await testTerminal({ env: { YAGURA_CONFIG_DIR: folder } });
  const error = await callApi(terminal, method, path, options).catch((reason: unknown) => reason);
  return { error, out: out() };
}

test('fields become the body, JSON values as such', async () => {
  const field = [
    'displayName=Shop = 1',
    'count=3',
    'active=true',
    'none=null',
    'list=["a"]',
    'code="3"',
    'half={',
  ];
  const { out } = await api('POST', '/api/echo', { field });
  const { body, method } = JSON.parse(out);
  expect(method).toBe('POST');
  expect(JSON.parse(body)).toEqual({
    ...{ displayName: 'Shop = 1', count: 3, active: true, none: null },
    ...{ list: ['a'], code: '3', half: '{' },
  });
});

test('fields of a GET become the query', async () => {
  const { out } = await api('GET', '/api/echo?limit=2', { field: ['filter=name eq "a&b"', 'limit=3'] });
  expect(JSON.parse(out)).toEqual({
    method: 'GET',
    url: '/api/echo?limit=3&filter=name+eq+%22a%26b%22',
    body: '',
  });
});

test('all pages are fetched, from the offset and with the limit of the path', async () => {
  expect(JSON.parse((await api('GET', '/api/rows', { paginate: true })).out)).toMatchObject({ items: rows });
  const { out } = await api('GET', '/api/rows?limit=2&offset=1', { paginate: true });
  expect(JSON.parse(out)).toMatchObject({ items: rows.slice(1), total: 5, offset: 1 });
});

test('a reply that is no list is printed as it is', async () => {
  const { out } = await api('GET', '/api/echo', { paginate: true });
  expect(JSON.parse(out)).toMatchObject({ method: 'GET' });
});

test('the body of an error is printed as it is', async () => {
  const { out, error } = await api('GET', '/api/refused', { jq: '.items' });
  expect(JSON.parse(out)).toEqual({ title: 'Access denied', status: 403 });
  expect(error).toMatchObject({ kind: 'forbidden' });
});

test.each([
  ['page', { path: '/page', status: 404 }],
  ['/page', { path: '/page', status: 404 }],
  ['/moved', { path: '/moved', status: 302 }],
])('a path of the console, such as %s, is told from the API', async (path, params) => {
  const { error, out } = await api('GET', path);
  expect(error).toMatchObject({ messageKey: 'cli.usage.web-page', params });
  expect(out).toBe('');
});

test('a page below /api/ comes from another server', async () => {
  expect((await api('GET', '/api/page')).error).toMatchObject({ kind: 'unreachable' });
});

test('HTML that was asked for is printed', async () => {
  const { out, error } = await api('GET', '/api/page', { header: ['accept=text/html'] });
  expect(out).toBe('<html>');
  expect(error).toMatchObject({ status: 404 });
});

test.each(['', '/', '//evil.example/x', 'https://evil.example', 'a b', '\\\\evil.example'])(
  'the path %j is a usage error',
  async (path) => {
    expect((await api('GET', path)).error).toMatchObject({ messageKey: 'cli.usage.path' });
  },
);

test.each([
  ['POST', { field: ['a=1'], input: '-' }, 'cli.usage.together'],
  ['POST', { paginate: true }, 'cli.usage.choice'],
  ['POST', { field: ['=1'] }, 'cli.usage.pair'],
  ['POST', { field: ['a'] }, 'cli.usage.pair'],
])('%s with %j is a usage error', async (method, options, messageKey) => {
  expect((await api(method, '/api/echo', options)).error).toMatchObject({ messageKey });
});
