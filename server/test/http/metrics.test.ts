// GET /metrics: only with its token, and true about what the server has done.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiCall } from '../support/api-request.ts';
import { post } from '../support/post.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { lintMetrics, parseMetrics } from './parse-metrics.ts';

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

test('follows the format and the conventions of Prometheus, whatever is requested', async () => {
  const paths = [
    '/api/"quoted\\back',
    '/api/%0anew line',
    '/api/日本語',
    '/apps/日本語',
    `/${'x'.repeat(500)}`,
  ];
  for (const path of paths) await fetch(server.origin + path, { method: 'PUT' });
  const read = async () => parseMetrics(await (await get(`Bearer ${token}`)).text());
  const before = await read();
  expect(lintMetrics(before.values())).toEqual([]);
  const requests = (families: typeof before) =>
    families.get('yagura_http_request_duration_seconds')!.samples.size;
  // Further unknown paths have no series of their own.
  for (let index = 0; index < 5; index += 1) {
    await fetch(`${server.origin}/api/unknown-${index}`, { method: 'PUT' });
    await fetch(`${server.origin}/unknown-${index}`, { method: 'PUT' });
  }
  const after = await read();
  expect(requests(after)).toBe(requests(before));
  expect([...after.keys()]).toEqual([...before.keys()]);
});

test('a check that finds what is wrong', () => {
  const family = (lines: string[], type = 'gauge') =>
    parseMetrics([`# HELP x_y Help`, `# TYPE x_y ${type}`, ...lines, ''].join('\n'));
  expect(family(['x_y{a="\\"\\\\\\n日本"} 1.5e+3']).get('x_y')!.samples.size).toBe(1);
  expect([...family(['x_y Nan']).get('x_y')!.samples.values()]).toEqual([Number.NaN]);
  for (const lines of [
    ['x_y{a="""} 1'],
    ['x_y 1', 'x_y 2'],
    ['x_z 1'],
    ['x_y one'],
    ['x_y 1', '# HELP x_y Help'],
    ['# TYPE x_y gauge'],
  ])
    expect(() => family(lines), lines.join()).toThrow();
  const lint = (text: string) => lintMetrics(parseMetrics(text).values()).length;
  expect(lint('# HELP x_total Help\n# TYPE x_total gauge\nx_total 1\n')).toBe(1);
  expect(lint('# HELP x Help\n# TYPE x counter\nx 1\n')).toBe(1);
  const histogram = (first: number) =>
    `# HELP h Help\n# TYPE h histogram\nh_bucket{le="1"} ${first}\nh_bucket{le="+Inf"} 2\nh_sum 3\nh_count 2\n`;
  expect([lint(histogram(1)), lint(histogram(3))]).toEqual([0, 1]);
});
