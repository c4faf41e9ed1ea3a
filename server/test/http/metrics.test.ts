// GET /metrics: only with its token, and true about what the server has done.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiCall } from '../support/api-request.ts';
import { post } from '../support/post.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const token = 'metrics-token-of-the-test-0123456789';
let server: TestServer;
beforeAll(async () => {
  server = (await startTestServer({ engine: 'embedded', env: { YAGURA_METRICS_TOKEN: token } }))!;
}, 120_000);
afterAll(() => server?.stop());

const get = (authorization?: string, method = 'GET') =>
  fetch(`${server.origin}/metrics`, { method, headers: authorization ? { authorization } : {} });

test.each([undefined, `Bearer ${token}x`, `Basic ${token}`, 'Bearer '])(
  'is refused with %s',
  async (authorization) => {
    const reply = await get(authorization);
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    expect(await reply.text()).not.toContain('yagura_');
  },
);

test('answers GET and HEAD only', async () => {
  expect((await get(`Bearer ${token}`, 'POST')).status).toBe(405);
  const head = await get(`Bearer ${token}`, 'HEAD');
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('counts evaluated messages and requests by route, without ids', async () => {
  const callApi = createApiCall(server.transportAs('privileged'));
  const slots = '/api/apps/alerthub/receive-slots';
  const slot = (await callApi('POST', slots, { displayName: 'metrics' })).data as {
    receiveSlotId: string;
    primary: string;
  };
  await callApi('GET', `${slots}/${slot.receiveSlotId}`);
  for (const body of ['one', 'two']) expect((await post(slot.primary, body)).status).toBe(202);
  await server.settled();

  const reply = await get(`Bearer ${token}`);
  expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await reply.text();
  expect(text).toMatch(/^yagura_messages_decided_total 2$/m);
  expect(text).toMatch(/^yagura_database_up 1$/m);
  expect(text).toMatch(/^yagura_session_log_bytes_total 0$/m);
  expect(text).toContain(
    'yagura_http_request_duration_seconds_count{method="GET",route="/api/apps/alerthub/receive-slots/:receiveSlotId",status="2xx"}',
  );
  expect(text).toMatch(/^process_open_fds \d+$/m);
  expect(text).not.toContain(slot.receiveSlotId);
  expect(text).not.toContain(new URL(slot.primary).pathname.split('/').at(-1));
});
