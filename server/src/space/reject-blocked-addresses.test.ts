// Requests of an address that the space does not permit, to an app with routes like those of a space.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BlockedRequest } from '../audit/blocked-requests.ts';
import { rejectBlockedAddresses } from './reject-blocked-addresses.ts';

const routes = [
  ...['/assets/a.js', '/favicon.svg', '/service-worker.js', '/receive/pigeon/calls/:resultId/:callId'],
  ...['/receive/kroker-setups', '/receive/*', '/api/*', '/oidc/*', '/*'],
];
const noted: BlockedRequest[] = [];
const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });

beforeAll(async () => {
  rejectBlockedAddresses(app, { permits: () => false }, (blocked) => noted.push(blocked));
  for (const route of routes) app.all(route, async () => route);
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

/** Sends the path as it is. */
async function send(path: string, method = 'GET') {
  const { port } = app.server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, path, method, agent: false }).end();
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  const body = (await reply.setEncoding('utf8').toArray()).join('');
  return { status: reply.statusCode, location: reply.headers.location, body };
}

test.each([
  ['/assets/a.js', '/assets/a.js'],
  ['/favicon.svg', '/favicon.svg'],
  ['/service-worker.js?v=1', '/service-worker.js'],
  ['/receive/pigeon/calls/r/c', '/receive/pigeon/calls/:resultId/:callId'],
  ['/403', '/*'],
  ['/403?error-type=a', '/*'],
])('%s is open', async (path, route) => {
  expect(await send(path)).toMatchObject({ status: 200, body: route });
});

test.each([
  ...['/', '/apps', '/assets/', '/assets/unknown.js', `/assets/${'a/'.repeat(20)}`, '/favicon/a', '/4030'],
  ...[
    '/assets/../apps',
    '/favicon/../apps',
    '/favicon.svg/../sign-out',
    '/assets/a.js/../../apps',
    '/403/apps',
  ],
  ...['/assets/%2e%2e/apps', '/403/../apps', '/403/%2e%2e/apps', '//403', '/service-worker.js/../apps'],
  ...['/favicon\\..\\apps', 'http://a.example/apps'],
])('%s leads to the error page', async (path) => {
  for (const method of ['GET', 'POST'])
    expect(await send(path, method)).toMatchObject({
      status: 302,
      location: expect.stringMatching(/^\/403\?/),
    });
});

test.each(['/api/space', '/oidc/auth', '/receive/kroker-setups', '/receive/unknown', '/receive/pigeon/../x'])(
  '%s is refused',
  async (path) => {
    noted.length = 0;
    const reply = await send(`${path}?token=secret`, 'POST');
    expect(reply.status).toBe(403);
    expect(reply.body).toContain('Your IP address is not permitted');
    expect(noted).toEqual([{ address: '127.0.0.1', userAgent: '', method: 'POST', path }]);
  },
);
