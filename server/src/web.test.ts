import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from './http/app.ts';
import { BodyBudget } from './http/body-budget.ts';
import { ThreadPool } from './threads/pool.ts';
import { isForeignWrite, serveConsole } from './web.ts';

const own = 'https://console.example';

describe('isForeignWrite', () => {
  test.each([
    [false, { 'sec-fetch-site': 'same-origin', origin: own }],
    [false, { 'sec-fetch-site': 'same-origin' }],
    [false, { origin: own }],
    [true, {}],
    [true, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    [true, { 'sec-fetch-site': 'same-site', origin: own }],
    [true, { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }],
    [true, { 'sec-fetch-site': 'none' }],
    [true, { origin: 'null' }],
    [true, { origin: 'http://console.example' }],
    [true, { origin: `${own}.evil.example` }],
  ])('%s for %j', (foreign, headers) => {
    expect(isForeignWrite(headers, own)).toBe(foreign);
  });
});

describe('the console', () => {
  let folder: string;
  const app = createApp(() => {}, {
    publicUrl: own,
    trustedProxies: [],
    bodies: new BodyBudget(),
    threads: new ThreadPool(),
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'yagura-console-'));
    await mkdir(join(folder, 'client', 'assets'), { recursive: true });
    await mkdir(join(folder, 'server'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    // A build whose one route takes every post: the smallest that the framework runs.
    await writeFile(
      join(folder, 'server', 'index.js'),
      `export const entry = { module: { default: () => new Response('page'), isSignedIn: async (request) => request.headers.get('cookie') === 'session=1' } };
       export const routes = { root: { id: 'root', path: '*', module: { action: ({ request }) => new Response(request.headers.get('host')) } } };
       export const assets = { entry: {}, routes: {}, version: '1', url: '' };
       export const publicPath = '/'; export const assetsBuildDirectory = ''; export const future = {}; export const isSpaMode = false; export const basename = '/'; export const mode = 'production';`,
    );
    await serveConsole(app, {
      folder,
      fetchFor: () => fetch,
      origin: own,
      clientInfo: { issuer: `${own}/oidc`, clientId: 'web' },
      cookieSecret: new Uint8Array(32),
      version: '0',
      helpLinks: {} as never,
      log: () => {},
    });
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });

  const post = (headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/anything', headers, payload: 'a=b' });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  test.each([
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
  ] as Record<string, string>[])('refuses a post of another site with 403: %j', async (headers) => {
    const reply = await post({ ...form, ...headers });
    expect(reply.statusCode).toBe(403);
    expect(reply.json()).toMatchObject({ detail: 'The request came from another site' });
  });

  test('takes its own, also behind a proxy that changes the host', async () => {
    const reply = await post({
      ...form,
      origin: own,
      host: 'inner:8480',
      'x-forwarded-host': 'other.example',
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.body).toBe('console.example');
  });
});
