import { createServer, type Server } from 'node:http';
import { failureReason } from '@yagura/core/http/transport';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { fetchThrough } from './proxy-fetch.ts';

let proxy: Server;
let url: string;

beforeAll(async () => {
  proxy = createServer();
  proxy.on('connect', (_request, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
  url = await listenOnLoopback(proxy);
});
afterAll(() => proxy.close());

test.each(['http:', 'https:'])(
  'the status of a proxy that refuses a request is told: %s',
  async (protocol) => {
    const error = await fetchThrough(
      { url, variable: 'http_proxy' },
      `${protocol}//space.example/`,
      {},
    ).catch((cause: unknown) => cause);
    expect(failureReason(error)).toContain('407');
  },
);
