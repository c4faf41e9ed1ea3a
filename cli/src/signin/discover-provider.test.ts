import { createServer, type Server } from 'node:http';
import { refreshTokenGrant } from 'openid-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { userAgent } from '../version.ts';
import { discoverProvider, ignoreInterruptions } from './discover-provider.ts';

let server: Server;
let issuer: string;
/** Called for a request to the token endpoint, which gets its reply when this has resolved. */
let onTokenRequest: () => Promise<void>;
let onDiscovery: () => Promise<void>;
let userAgents: Set<string | undefined>;

beforeEach(async () => {
  onTokenRequest = onDiscovery = async () => undefined;
  userAgents = new Set();
  server = createServer(async ({ url, headers }, response) => {
    userAgents.add(headers['user-agent']);
    const isToken = url === '/token';
    await (isToken ? onTokenRequest() : onDiscovery());
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(
        isToken
          ? { access_token: 'a', token_type: 'Bearer' }
          : { issuer, token_endpoint: `${issuer}/token`, authorization_endpoint: `${issuer}/auth` },
      ),
    );
  });
  issuer = await listenOnLoopback(server);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('a provider that cannot be reached is named with the reason', async () => {
  const { terminal } = await testTerminal({ language: 'ja' });
  const closed = createServer();
  const gone = await listenOnLoopback(closed);
  await new Promise((resolve) => closed.close(resolve));
  await expect(discoverProvider(terminal, gone, 'cli')).rejects.toMatchObject({
    kind: 'unreachable',
    detail: `${gone}: 接続が拒否されました: ECONNREFUSED`,
  });
});

test('a provider is told which program asks', async () => {
  const { terminal } = await testTerminal();
  await refreshTokenGrant(await discoverProvider(terminal, issuer, 'cli'), 'r');
  expect([...userAgents]).toEqual([userAgent]);
});

test('an interruption ends a request that the provider does not reply to', async () => {
  const stop = new AbortController();
  const { terminal } = await testTerminal({ signal: stop.signal });
  const provider = await discoverProvider(terminal, issuer, 'cli');
  onDiscovery = onTokenRequest = () => {
    stop.abort();
    return new Promise(() => undefined);
  };
  await expect(refreshTokenGrant(provider, 'r')).rejects.toThrow();
  const again = new AbortController();
  onDiscovery = () => {
    again.abort();
    return new Promise(() => undefined);
  };
  const interrupted = (await testTerminal({ signal: again.signal })).terminal;
  await expect(discoverProvider(interrupted, issuer, 'cli')).rejects.toMatchObject({ name: 'AbortError' });
});

test('a renewal is not ended, since its refresh token may be used up already', async () => {
  const stop = new AbortController();
  const { terminal } = await testTerminal({ signal: stop.signal });
  const provider = await discoverProvider(terminal, issuer, 'cli');
  ignoreInterruptions(provider);
  onTokenRequest = async () => stop.abort();
  expect(await refreshTokenGrant(provider, 'r')).toMatchObject({ access_token: 'a' });
});

test('a provider is asked through the proxy of the environment', async () => {
  const { terminal } = await testTerminal();
  const connects: string[] = [];
  server.on('connect', ({ url }, socket) => {
    connects.push(url!);
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
  });
  vi.stubEnv('https_proxy', issuer);
  await expect(discoverProvider(terminal, 'https://provider.example', 'cli')).rejects.toMatchObject({
    kind: 'unreachable',
  });
  expect(connects).toEqual(['provider.example:443']);
});
