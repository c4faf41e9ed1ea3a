import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { proxyOf, withoutPassword } from './proxy.ts';
import { quickFetch } from './quick-fetch.ts';

describe('proxied', () => {
  const proxy = { HTTPS_PROXY: 'http://proxy:3128', http_proxy: 'http://proxy:3128' };
  test.each([
    ['https://a.example/', {}, false],
    ['https://a.example/', proxy, true],
    ['http://a.example/', proxy, true],
    ['http://a.example/', { HTTPS_PROXY: 'http://proxy:3128' }, false],
    ['https://a.example/', { ...proxy, NO_PROXY: 'a.example' }, false],
    ['https://x.a.example/', { ...proxy, NO_PROXY: '.a.example' }, false],
    ['https://xa.example/', { ...proxy, NO_PROXY: 'a.example' }, true],
    ['https://a.example:8443/', { ...proxy, NO_PROXY: 'a.example:8443' }, false],
    ['https://a.example/', { ...proxy, NO_PROXY: 'a.example:8443' }, true],
    ['https://a.example/', { ...proxy, no_proxy: 'b.example, *' }, false],
    ['http://[::1]:8443/', { ...proxy, no_proxy: '::1' }, false],
    ['http://[::1]:8443/', { ...proxy, no_proxy: '[::1]' }, false],
    ['http://[::1]:8443/', { ...proxy, no_proxy: '[0:0:0:0:0:0:0:1]:8443' }, false],
    ['http://[::1]:8443/', { ...proxy, no_proxy: '[::1]:80' }, true],
    ['http://[::2]/', { ...proxy, no_proxy: '::1' }, true],
    ['http://10.1.2.3/', { ...proxy, no_proxy: '10.0.0.0/8' }, false],
    ['http://11.1.2.3/', { ...proxy, no_proxy: '10.0.0.0/8, 11.0.0.0/33' }, true],
    ['http://11.1.2.3/', { ...proxy, no_proxy: '11.1.2.3/32' }, false],
    ['http://a.example/', { ...proxy, no_proxy: '10.0.0.0/8,::/0' }, true],
    ['http://[fd00::1]/', { ...proxy, no_proxy: 'fd00::/8' }, false],
    ['http://[fe00::1]/', { ...proxy, no_proxy: '[fd00::]/8' }, true],
    ['http://[fd00::1]/', { ...proxy, no_proxy: 'fd00::/129' }, true],
  ])('%s with %j', (url, env, wanted) => expect(proxyOf(new URL(url), env) !== undefined).toBe(wanted));
});

test.each([
  [
    { http_proxy: 'localhost:9' },
    { url: 'http://localhost:9', variable: 'http_proxy' },
    'http://localhost:9',
  ],
  [
    { HTTP_PROXY: 'http://me:p@ss@proxy:3128/' },
    { url: 'http://me:p@ss@proxy:3128/', variable: 'HTTP_PROXY' },
    'http://proxy:3128/',
  ],
])('the proxy of %j is named without its password', (env, proxy, shown) => {
  expect(proxyOf(new URL('http://a.example/'), env)).toEqual(proxy);
  expect(withoutPassword(proxy.url)).toBe(shown);
});

describe('quickFetch', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());
  const serve = async (listener: RequestListener) => {
    server = createServer(listener);
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };

  test('sends method, headers and body, and gives status, headers and text', async () => {
    const url = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response
        .writeHead(418, { 'x-seen': `${request.method} ${request.headers['x-a']} ${body}` })
        .end('日本');
    });
    const reply = await quickFetch(url, { method: 'PUT', headers: { 'x-a': 'b' }, body: '{"ü":1}' });
    expect([reply.ok, reply.status, reply.headers.get('X-Seen'), reply.headers.get('nothing')]).toEqual([
      false,
      418,
      'PUT b {"ü":1}',
      null,
    ]);
    expect(await reply.text()).toBe('日本');
  });

  test('follows no redirect', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(302, { location: 'http://elsewhere.example/' }).end(),
    );
    await expect(quickFetch(url, { redirect: 'error' })).rejects.toThrow(
      'redirected to http://elsewhere.example/',
    );
  });

  test('ends when it is aborted', async () => {
    const url = await serve(() => undefined);
    await expect(quickFetch(url, { signal: AbortSignal.timeout(50) })).rejects.toThrow();
  });

  test('tells why a server cannot be reached', async () => {
    await expect(quickFetch('http://127.0.0.1:1/', {})).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
