import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createThreadPool } from '../../hosting/create-thread-pool.ts';
import { createApp } from '../app.ts';
import { BodyBudget } from '../body/body-budget.ts';
import { isCrossSiteWrite, loadConsoleBuild, serveConsole } from './serve-console.ts';

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
    expect(isCrossSiteWrite(headers, own)).toBe(foreign);
  });
});

describe('the console', () => {
  let folder: string;
  const app = createApp(() => {}, {
    publicUrl: own,
    trustedProxies: [],
    bodies: new BodyBudget(),
    threads: createThreadPool(),
    spaceId: 'a',
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'yagura-console-'));
    await mkdir(join(folder, 'client', 'assets'), { recursive: true });
    await mkdir(join(folder, 'server'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'client', 'favicon.svg'), '<svg/>');
    await writeFile(join(folder, 'client', 'assets', 'page-1a2b.js'), 'script');
    await writeFile(join(folder, 'client', 'assets', 'page-1a2b.js.br'), 'packed');
    // The smallest build that the framework runs: one route that accepts every post.
    await writeFile(
      join(folder, 'server', 'index.js'),
      `const renewed = new WeakSet();
       const isSignedIn = async (request, context) => {
         if (request.headers.has('x-renew')) renewed.add(context);
         return request.headers.get('cookie') === 'session=1';
       };
       const appendSessionCookies = async (context, headers) => {
         if (renewed.has(context)) headers.append('set-cookie', 'session=2; Path=/; Secure');
       };
       export const entry = { module: { default: () => new Response('page'), handleError() {}, isSignedIn, appendSessionCookies } };
       export const routes = { root: { id: 'root', path: '*', module: { action: async ({ request }) => new Response(new URL(request.url).pathname === '/echo' ? String((await request.text()).length) : request.headers.get('host') + (request.headers.get('x-show') ? ' ' + request.url : ''), { headers: [['set-cookie', 'lng=en; Path=/'], ['set-cookie', 'a=b; Path=/; Secure']] }) } } };
       export const assets = { entry: {}, routes: {}, version: '1', url: '' };
       export const publicPath = '/'; export const assetsBuildDirectory = ''; export const future = {}; export const isSpaMode = false; export const basename = '/'; export const mode = 'production';`,
    );
    await serveConsole(app, {
      source: folder,
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

  test('sends its cookies over TLS alone, where its address is https', async () => {
    const reply = await post({ ...form, origin: own });
    expect(reply.headers['set-cookie']).toEqual(['lng=en; Path=/; Secure', 'a=b; Path=/; Secure']);
  });

  test('hands out a renewed session with every response, also of a route without a page', async () => {
    const headers = { ...form, origin: own, cookie: 'session=1', 'x-renew': 'yes' };
    const { headers: replied } = await post(headers);
    expect(replied['set-cookie']).toContain('session=2; Path=/; Secure');
    const payload = `a=${'b'.repeat(3_000_000)}`;
    const refused = await app.inject({ method: 'POST', url: '/echo', headers, payload });
    expect([refused.statusCode, refused.headers['set-cookie']]).toEqual([413, ['session=2; Path=/; Secure']]);
  });

  test.each([
    ['/assets/page-1a2b.js', 200, 'script', 'public, max-age=31536000, immutable'],
    ['/favicon.svg', 200, '<svg/>', 'public, max-age=300'],
    ['/assets/..%2f..%2fpackage.json', 404, undefined, undefined],
    // A file of an older version: no page is rendered for it.
    ['/assets/page-0000.js', 404, undefined, undefined],
  ])('sends the files of the build: %s', async (url, status, body, cacheControl) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const reply = await app.inject({ method, url });
      expect(reply.statusCode).toBe(status);
      if (status !== 200) expect(reply.headers['content-type']).toContain('application/problem+json');
      if (body !== undefined && method === 'GET') expect(reply.body).toBe(body);
      expect(reply.headers['cache-control']).toBe(cacheControl);
      if (cacheControl) expect(reply.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  test('sends the compressed file where the browser takes it', async () => {
    const headers = { 'accept-encoding': 'gzip, br' };
    const reply = await app.inject({ method: 'GET', url: '/assets/page-1a2b.js', headers });
    expect([reply.body, reply.headers['content-encoding']]).toEqual(['packed', 'br']);
    expect(reply.headers['content-type']).toContain('javascript');
    expect(reply.headers.vary).toContain('accept-encoding');
  });

  describe('paths', () => {
    beforeAll(() => app.listen({ host: '127.0.0.1', port: 0 }));
    /** Sends the request target as it is. */
    const send = async (path: string) => {
      const { port } = app.server.address() as AddressInfo;
      const headers = { origin: own, 'x-show': 'url' };
      const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false }).end();
      const [reply] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: reply.statusCode, body: await text(reply) };
    };

    test.each([
      ['//', '//'],
      ['//evil.example/apps?a=1', '//evil.example/apps?a=1'],
      ['/\\evil.example/apps', '//evil.example/apps'],
      ['http://evil.example/apps?a=1', '/apps?a=1'],
      ['http://evil.example//apps', '//apps'],
    ])('%s is a page of our own origin', async (target, path) => {
      expect(await send(target)).toEqual({ status: 200, body: `console.example ${own}${path}` });
    });

    test('above 1,024 characters are unknown, before the framework looks for their page', async () => {
      const query = `?q=${'a'.repeat(2000)}`;
      expect((await send(`/${'a'.repeat(1023)}${query}`)).status).toBe(200);
      for (const path of [`/${'a'.repeat(1024)}`, `/${'a/'.repeat(2000)}`, `${'/'.repeat(8000)}a`]) {
        const { status, body } = await send(path + query);
        expect([status, JSON.parse(body).detail]).toEqual([404, 'nothing is here']);
      }
    });

    test('take no preparation of the routes of their own', async () => {
      await send('/first');
      const { routes } = (await loadConsoleBuild(folder)) as unknown as { routes: { root: object } };
      let reads = 0;
      const { root } = routes;
      Object.defineProperty(routes, 'root', { enumerable: true, get: () => [root, reads++][0] });
      await send('/second');
      expect(reads).toBe(0);
    });
  });

  describe('bodies', () => {
    const signedIn = { ...form, origin: own, cookie: 'session=1' };
    const endless = () => {
      let read = 0;
      const piece = Buffer.alloc(65_536, 'a=b&');
      const body = new Readable({
        read() {
          read += piece.length;
          this.push(read > 64 * 1024 * 1024 ? null : piece);
        },
      });
      return { body, read: () => read };
    };
    const sent = async (headers: Record<string, string>, url = '/echo') => {
      const { body, read } = endless();
      const reply = await app.inject({ method: 'POST', url, headers, payload: body });
      return { status: reply.statusCode, text: reply.body, read: read() };
    };

    test.each([
      ['of another site', { ...form, origin: 'https://evil.example', cookie: 'session=1' }, 403],
      ['of nobody', { ...form, origin: own }, 200],
    ] as const)('one %s is not read', async (_who, headers, status) => {
      const reply = await sent(headers);
      expect(reply.status).toBe(status);
      expect(reply.read).toBeLessThan(2 * 1024 * 1024);
      // The page that redirects to the sign-in receives an empty form.
      if (status === 200) expect(reply.text).toBe('0');
    });
    test('one of somebody known ends at the limit of bytes and of fields', async () => {
      const reply = await sent(signedIn);
      expect(reply.status).toBe(413);
      expect(reply.read).toBeLessThan(4 * 1024 * 1024);
      const many = { method: 'POST', url: '/echo', headers: signedIn } as const;
      expect((await app.inject({ ...many, payload: 'a&'.repeat(20_001) })).statusCode).toBe(413);
      expect((await app.inject({ ...many, payload: 'a&'.repeat(19_998) })).statusCode).toBe(200);
    });
    test('a declared length above the limit is refused at once', async () => {
      const { body, read } = endless();
      const headers = { ...signedIn, 'content-length': String(3 * 1024 * 1024) };
      const reply = await app.inject({ method: 'POST', url: '/echo', headers, payload: body });
      expect(reply.statusCode).toBe(413);
      expect(read()).toBeLessThan(1024 * 1024);
    });
  });
});
