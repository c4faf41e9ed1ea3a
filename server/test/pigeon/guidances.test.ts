// What a guidance may contain, and which field an error names.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let callApi: ApiCall;
beforeAll(async () => {
  server = (await startTestServer({ engine: 'embedded' }))!;
  callApi = createApiCall(server.transportAs('privileged'));
}, 120_000);
afterAll(() => server?.stop());

let count = 0;
const save = async (messageTemplate: string, reactions = {}) => {
  const body = { displayName: `guidance ${count++}`, messageTemplate, reactions };
  return (await callApi('POST', '/api/apps/pigeon/guidances', body)).data;
};

test('a reaction to anything but the keys 1 to 9 is refused with these keys', async () => {
  for (const key of ['0', '10', '*', '１', ''])
    expect(await save('Hello', { [key]: { behavior: 'leave' } }), key).toMatchObject({
      invalidParams: [{ name: `reactions.${key}`, reason: 'Enter one of: 1, 2, 3, 4, 5, 6, 7, 8, 9' }],
    });
  expect(await save('Hello', { 9: { behavior: 'leave' } })).toHaveProperty('guidanceId');
});

test('a message needs something that can be said, unless a value brings it', async () => {
  for (const silent of [' ', '\u3000\u3000', '🚨🔥', '。、!?'])
    expect(await save(silent), silent).toMatchObject({
      invalidParams: [{ name: 'messageTemplate', reason: 'The message has nothing that can be said' }],
    });
  for (const spoken of ['{{host}}', '🚨 1', '障害', 'Ошибка'])
    expect(await save(spoken), spoken).toHaveProperty('guidanceId');
});
