// Large bodies and messages, parsed in worker threads: same results as for small ones, within the limits of
// each call.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const api = '/api/apps/alerthub';
const digits = '0.10000000000000000000000000000000000001';
/** Above the size parsed on the main thread, and below the limit of ordinary calls. */
const filling = 'x'.repeat(40_000);

let server: TestServer;
let callApi: ApiCall;

beforeAll(async () => {
  server = (await startTestServer({ engine: 'embedded' }))!;
  callApi = createApiCall(server.transportAs('privileged'));
});
afterAll(() => server.stop());

const step = (params: object) =>
  `{"stepId":"a","kind":"operator","posX":${digits},"params":${JSON.stringify(params)}}`;
const params = {
  operatorId: 'concatenate',
  params: { template: filling, destination: 'd' },
};

test('a large item is created and changed, and its numbers keep every digit', async () => {
  const raw = `{"displayName":"large","startStepId":"a","steps":[${step(params)}]}`;
  const made = await callApi('POST', `${api}/runbooks`, undefined, { raw });
  expect(made.status, made.text).toBe(201);
  expect(made.text).toContain(`"posX":${digits}`);
  const { runbookId } = made.data as { runbookId: string };
  const changed = await callApi('PATCH', `${api}/runbooks/${runbookId}`, undefined, {
    raw: `{"steps":[${step(params)}],"later":1}`,
  });
  expect(changed.status, changed.text).toBe(200);
  expect(changed.text).toContain(`"posX":${digits}`);
  expect(changed.data).toMatchObject({ displayName: 'large', startStepId: 'a' });
});

test.each(['POST', 'PATCH'])(
  'a wrong field of a large %s is named in the language of the caller',
  async (method) => {
    const path = method === 'POST' ? 'runbooks' : 'runbooks/0190a0a0-0000-7000-8000-000000000000';
    const reply = await callApi(
      method,
      `${api}/${path}`,
      { displayName: ['a'], remarks: '', steps: [{ stepId: filling }] },
      { headers: { 'accept-language': 'ja' } },
    );
    expect(reply.status).toBe(400);
    const { invalidParams } = reply.data as { invalidParams: { name: string; reason: string }[] };
    expect(invalidParams).toContainEqual({ name: 'displayName', reason: '文字列を指定してください' });
    expect(invalidParams.map(({ name }) => name)).toContain('steps.0.stepId');
  },
);

test('no more than a hundred wrong fields are named', async () => {
  const reply = await callApi('POST', `${api}/runbooks`, {
    displayName: 'wrong',
    steps: Array.from({ length: 150 }, () => ({
      stepId: '!',
      kind: 'none',
      displayName: filling.slice(0, 200),
    })),
  });
  expect(reply.status).toBe(400);
  expect((reply.data as { invalidParams: unknown[] }).invalidParams).toHaveLength(100);
});

test.each([
  ['scopes', `{"displayName":"${'x'.repeat(256 * 1024)}"}`, 'the body may have at most 256 kB'],
  ['rules', `{"displayName":"${'x'.repeat(10 * 1024 * 1024)}"}`, 'the body may have at most 10 MB'],
  ['runbooks', `{"steps":[${'0,'.repeat(100_000)}0]}`, 'more than 100000 values'],
  ['scopes', `[${'0,'.repeat(20_000)}0]`, 'more than 20000 values'],
])('%s take no more than their limit', async (path, raw, detail) => {
  const reply = await callApi('POST', `${api}/${path}`, undefined, { raw });
  expect(reply.status).toBe(413);
  expect(reply.data).toMatchObject({ title: 'Too large', detail });
});

test('a repeat of a large create with the same key gives the first item', async () => {
  const headers = { 'idempotency-key': 'large-1' };
  const raw = `{"displayName":"once","startStepId":"a","steps":[${step(params)}]}`;
  const [first, second] = [
    await callApi('POST', `${api}/runbooks`, undefined, { raw, headers }),
    await callApi('POST', `${api}/runbooks`, undefined, { raw, headers }),
  ];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect((second.data as { runbookId: string }).runbookId).toBe(
    (first.data as { runbookId: string }).runbookId,
  );
});

test('all memory of bodies is given back', async () => {
  await expect.poll(() => server.services.bodies.usedBytes).toBe(0);
});

test('a large message is shown whole, or as its beginning where that is enough', async () => {
  const slot = (await callApi('POST', `${api}/receive-slots`, { displayName: 'large' })).data as {
    primary: string;
  };
  const body = `{"text":"${'あ'.repeat(200_000)}","n":1.50}`;
  const posted = await fetch(slot.primary, { method: 'POST', body });
  const { messageId } = (await posted.json()) as { messageId: string };
  await server.settled();
  const path = `${api}/message/detail/${messageId}`;
  const whole = await callApi('GET', path);
  expect(whole.status, whole.text.slice(0, 300)).toBe(200);
  expect(whole.type).toBe('application/json');
  expect(whole.etag).not.toBeNull();
  const shown = whole.data as {
    size: number;
    content: { body: string; data: { n: number } };
    metadata: object;
  };
  expect(shown.size).toBe(Buffer.byteLength(body));
  expect(shown.content.body).toBe(body);
  expect(shown.content.data).toEqual(JSON.parse(body));
  expect(shown.metadata).toMatchObject({ requestUrl: expect.stringContaining('/receive/webhook/') });
  const start = (await callApi('GET', `${path}?contentLimit=10`)).data as { content: object };
  expect(start.content).toEqual({ body: '{"text":"', cut: ['body'] });
  expect((await callApi('GET', `${path}?contentLimit=x`)).data).toMatchObject({
    invalidParams: [{ name: 'contentLimit' }],
  });
  const raw = await fetch(`${server.origin}${path}/raw`, {
    headers: await server.transportAs('privileged').headers!(),
  });
  expect(await raw.text()).toBe(body);
});
