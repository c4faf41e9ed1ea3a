// Streams of live changes that one user holds at a time.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { inProcessFetch } from '../../src/http/in-process-fetch.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
const open = new Set<AbortController>();

beforeAll(async () => {
  server = (await startTestServer())!;
});
afterAll(async () => {
  for (const stream of open) stream.abort();
  await server?.stop();
});

const overNetwork = () => fetch;
/** As the console calls, which passes on that its browser has gone. */
const inProcess = () =>
  inProcessFetch(server.spaces()[0]!.app, server.origin)({ address: '192.0.2.7', userAgent: 'Browser/1' });

test.each([
  ['over the network', overNetwork, ['sonar:viewer']],
  ['of pages of the console', inProcess as () => typeof fetch, ['pigeon:operator']],
] as const)(
  'a user has a hundred streams %s; further ones wait for the end of one',
  async (_, via, roles) => {
    const hana = await server.signedIn(roles);
    const ken = await server.signedIn(['alerthub:viewer']);
    const statusOf = async ({ accessToken }: typeof hana, stream = new AbortController()) => {
      open.add(stream);
      const headers = { authorization: `Bearer ${accessToken}`, 'x-requested-with': 'XMLHttpRequest' };
      const init = { headers, signal: stream.signal };
      return (await via()(`${server.origin}/api/internal/changes`, init)).status;
    };
    const first = new AbortController();
    expect(await statusOf(hana, first)).toBe(200);
    for (let count = 1; count < 100; count++) expect(await statusOf(hana)).toBe(200);
    expect(await statusOf(hana)).toBe(429);
    expect(await statusOf(ken)).toBe(200);
    first.abort();
    await vi.waitFor(async () => expect(await statusOf(hana)).toBe(200));
    expect(await statusOf(hana)).toBe(429);
  },
);
