// A target that repeats a request in its response reveals none of the credentials of the request.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const api = '/api/apps/alerthub';
const secrets = { header: 'Bearer echo-header-1', key: 'ab12CD34ef56GH78', query: 'echo-query-3' };

let server: TestServer;
let admin: ApiCall;
const target = createServer((request, response) => {
  if (request.url?.startsWith('/moved'))
    response.writeHead(301, { location: `${request.url.split('?')[0]}/` });
  response.end(JSON.stringify({ url: request.url, headers: request.headers }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  server = (await startTestServer({ env: { YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8' } }))!;
  admin = createApiCall(server.transportAs('privileged'));
}, 120_000);
afterAll(async () => {
  await server?.stop();
  target.close();
});

test.each(['hook', 'moved'])('in the record of a delivery to /%s, whoever reads it', async (path) => {
  const { port } = target.address() as AddressInfo;
  const parameters = {
    method: 'POST',
    url: `http://127.0.0.1:${port}/${path}/${secrets.key}?to=${secrets.query}`,
    headers: { Authorization: secrets.header },
    body: '{}',
  };
  const made = await admin('POST', `${api}/actions`, { displayName: path, kind: 'webhook', parameters });
  expect(made.status, made.text).toBe(201);
  const { actionId } = made.data as { actionId: string };
  const sent = await admin('POST', `${api}/actions/${actionId}/test`, { messageId: null });
  const { actionRecordId } = sent.data as { actionRecordId: string };
  await server.settled();
  const viewer = createApiCall(server.transportAs(['alerthub:viewer']));
  const seen = await viewer('GET', `${api}/action-records/${actionRecordId}`);
  const { attempts } = seen.data as { attempts: { reply: string }[] };
  expect(attempts[0]!.reply).toContain('"authorization":"***"');
  const { rows } = await server.services.database.query<{ stored: string }>(
    'select attempts::text as stored from action_record where action_record_id = $1',
    [actionRecordId],
  );
  for (const text of [seen.text, rows[0]!.stored]) {
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
  }
});
