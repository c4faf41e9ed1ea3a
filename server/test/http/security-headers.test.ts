// Security headers, cookies and CORS of every response, behind a TLS-terminating proxy.
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { migrations } from '../../src/db/migrations/all.ts';
import { type Server, startServer } from '../../src/hosting/server.ts';
import { createStartedFolder, type DataFolder } from '../support/data-folder.ts';
import { password } from '../support/identity-server.ts';

const publicUrl = 'https://console.example';
const foreign = 'https://evil.example';
const signIn = new URLSearchParams({
  client_id: 'yagura-web',
  redirect_uri: `${publicUrl}/authorize`,
  response_type: 'code',
  scope: 'openid',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
});

const tokens = '/oidc/token';
const form = 'application/x-www-form-urlencoded';

/** Method, path and expected status; the status verifies that each code path of the server is covered. */
const requests: [method: string, path: string, status: number][] = [
  ['GET', '/api/apps/alerthub/scopes', 401],
  ['GET', '/api/internal/embedded/client-info', 403],
  ['POST', '/api/apps/alerthub/scopes', 401],
  ['GET', '/api/nowhere', 404],
  ['POST', '/receive/webhook/unknown', 404],
  ['GET', '/oidc/.well-known/openid-configuration', 200],
  ['GET', '/oidc/jwks', 200],
  ['POST', tokens, 400],
  ['GET', `/oidc/auth?${signIn}`, 303],
  ['GET', '/oidc/auth?client_id=unknown', 400],
  ['GET', '/oidc/device', 200],
  ['GET', '/oidc/nowhere', 404],
  ['GET', '/change-password', 200],
  ['GET', '/change-password?token=abc', 303],
  ['GET', '/activate-invitation', 404],
  ['GET', '/docs/api', 200],
  ['GET', '/nowhere', 404],
  ['GET', '/%zz', 400],
];

/** What no client library sends, or answers without the framework, and the expected status. */
const wire: [name: string, bytes: string, status: number][] = [
  ['no HTTP', 'garbage\r\n\r\n', 400],
  ['too many headers', `GET / HTTP/1.1\r\nhost: a\r\n${'x: y\r\n'.repeat(10_000)}\r\n`, 431],
  [
    'a WebSocket of nobody',
    'GET /api/ksocket/agent HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    401,
  ],
  [
    'a WebSocket to nowhere',
    'GET /nowhere HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    404,
  ],
];

describe('every reply', () => {
  let server: Server;
  let origin: string;
  let folder: DataFolder;
  beforeAll(async () => {
    folder = await createStartedFolder(migrations);
    const env = { YAGURA_DATA: folder.folder, YAGURA_PUBLIC_URL: publicUrl, YAGURA_ADMIN_PASSWORD: password };
    server = await startServer({
      config: readConfig(['--port', '0'], env),
      version: '0.0.0-test',
      log: () => {},
    });
    origin = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
  }, 120_000);
  afterAll(async () => {
    await server?.close();
    folder?.remove();
  });

  const ask = (method: string, path: string) =>
    fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: {
        origin: foreign,
        accept: 'text/html',
        ...(method === 'POST' ? { 'content-type': path === tokens ? form : 'application/json' } : {}),
      },
      ...(method === 'POST' ? { body: path === tokens ? 'client_id=yagura-web&grant_type=x' : '{}' } : {}),
    });

  test.each(requests)(
    '%s %s answers %i, over TLS alone, as what it says it is, and lets no other origin read',
    async (method, path, status) => {
      const { headers, status: got } = await ask(method, path);
      expect(got).toBe(status);
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      const policy = headers.get('content-security-policy') ?? '';
      const type = headers.get('content-type') ?? '';
      if (path.startsWith('/api/') || path.startsWith('/receive/') || type.startsWith('text/html'))
        expect(policy).toContain("frame-ancestors 'none'");
      if (type.startsWith('text/html')) {
        expect(policy).toMatch(/(^|; )(default|object)-src 'none'/);
        expect(policy).toMatch(/(^|; )base-uri 'none'/);
        expect(policy).not.toContain("script-src 'unsafe-inline'");
        expect(headers.get('referrer-policy')).toMatch(/^(same-origin|no-referrer)$/);
      }
      // Keys and discovery are readable from other origins; nothing that depends on a cookie is.
      const allowed = headers.get('access-control-allow-origin');
      if (!/^\/oidc\/(jwks|\.well-known)/.test(path)) expect(allowed).toBeNull();
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      for (const cookie of headers.getSetCookie().filter((line) => !line.startsWith('lng='))) {
        expect(cookie).toMatch(/^__(Host|Secure)-/);
        expect(cookie).toMatch(/; httponly/i);
        expect(cookie).toMatch(/; secure/i);
        expect(cookie).toMatch(/; samesite=(lax|strict)/i);
      }
    },
  );

  test.each(wire)('to %s has the headers of every other one', async (_name, bytes, status) => {
    const text = await new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(received));
    });
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text).toContain('\r\nstrict-transport-security: max-age=31536000; includeSubDomains\r\n');
    expect(text).toContain('\r\nx-content-type-options: nosniff\r\n');
  });

  test('sets a cookie somewhere in these requests, so that the checks above mean something', async () => {
    const cookies = await Promise.all(
      requests.map(async ([method, path]) => (await ask(method, path)).headers.getSetCookie()),
    );
    const names = cookies.flat().map((cookie) => cookie.split('=')[0]);
    expect(names).toContain('__Secure-yagura_interaction');
    expect(names).toContain('__Host-yagura_change-password');
  });
});
