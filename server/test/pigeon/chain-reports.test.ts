// What is told of a chain afterwards: details in the reader's language, the reason in mails, and one chain per handover.
import { startSmtpSink } from '@yagura/fixtures/sink/smtp-sink';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { startChain } from '../../src/pigeon/start-chain.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const api = '/api/apps/pigeon';
let server: TestServer;
let clock: ManualClock;
let smtp: Awaited<ReturnType<typeof startSmtpSink>>;
let callApi: ApiCall;
let count = 0;

beforeAll(async () => {
  clock = new ManualClock();
  smtp = await startSmtpSink();
  server = (await startTestServer({
    clock,
    env: {
      YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8',
      YAGURA_SMTP_URL: smtp.url,
      YAGURA_MAIL_FROM: 'Yagura <yagura@example.com>',
    },
  }))!;
  callApi = createApiCall(server.transportAs('privileged'));
});
afterAll(async () => {
  await server?.stop();
  await smtp?.close();
});

async function make<T>(path: string, body: object): Promise<T> {
  const reply = await callApi('POST', `${api}/${path}`, { displayName: `made ${++count}`, ...body });
  expect(reply.status, reply.text).toBe(201);
  return reply.data as T;
}

async function settings(phoneNumber: string) {
  const { contactId } = await make<{ contactId: string }>('contacts', { phones: [{ phoneNumber }] });
  const contacts = [{ contactId }];
  const { callflowId } = await make<{ callflowId: string }>('callflows', { loopLimit: 1, contacts });
  const { guidanceId } = await make<{ guidanceId: string }>('guidances', {
    messageTemplate: 'Disk full',
    reactions: { 1: { behavior: 'terminate' } },
  });
  return { contactId, callflowId, guidanceId };
}

async function pass(seconds: number): Promise<void> {
  for (let at = 0; at < seconds; at++) {
    clock.advance(1000);
    await server.settled();
  }
}

test('the details of a call are in the language of the reader, and older ones as they were stored', async () => {
  const { callflowId, guidanceId } = await settings('0300000020');
  const params = { callflowId, guidanceId };
  const { resultId } = (await callApi('POST', `${api}/chain/invoke`, { params })).data as {
    resultId: string;
  };
  await pass(10);
  const details = [{ word: 'pigeon.detail.no-room' }, 'BYE (us)'];
  const script = details.map((detail) => ({ at: '2026-01-01T00:00:00.000Z', kind: 'ended', detail }));
  await server.services.database.query('update pigeon_call set script = $2::jsonb where result_id = $1', [
    resultId,
    JSON.stringify(script),
  ]);
  const shown = async (language: string) => {
    const headers = { 'accept-language': language };
    const { data } = await callApi('GET', `${api}/results/${resultId}`, undefined, { headers });
    return (data as { calls: { script: { detail: string }[] }[] }).calls[0]!.script.map(
      ({ detail }) => detail,
    );
  };
  expect(await shown('ja')).toEqual(['すべてのトランクが上限に達しています', 'BYE (us)']);
  expect(await shown('en')).toEqual(['all trunks are at their limit', 'BYE (us)']);
});

test('a handover that is repeated has the first result, although its callflow is gone', async () => {
  const { callflowId, guidanceId } = await settings('0300000001');
  const { database, nextId, pigeon: runner, speech, spaceId } = server.services;
  const handOver = (actionRecordId: string) =>
    startChain(
      { database, clock, nextId, runner, speech },
      {
        spaceId,
        params: { callflowId, guidanceId, parameters: {} },
        source: 'trigger',
        actionRecordId,
        mayTransfer: false,
      },
    );
  const actionRecordId = nextId();
  const first = await handOver(actionRecordId);
  expect(first).toEqual({ resultId: expect.any(String) });
  expect((await callApi('DELETE', `${api}/callflows/${callflowId}`)).status).toBe(200);
  expect(await handOver(actionRecordId)).toEqual(first);
  expect(await handOver(nextId())).toEqual({ rejected: { word: 'pigeon.rejected.callflow' } });
  await pass(30);
});

test('a chain is rejected when its transfer destination lacks the phone number', async () => {
  const { contactId, guidanceId } = await settings('0300000004');
  const callflow = { contacts: [{ contactId }], transferTo: { contactId, phone: 2 } };
  const guidance = { messageTemplate: 'x', reactions: { 4: { behavior: 'transfer' } } };
  const invoke = async (params: object) =>
    (await callApi('POST', `${api}/chain/invoke`, { params })).data as Record<string, unknown>;
  expect(await invoke({ callflow, guidance })).toMatchObject({
    status: 'rejected',
    errorDescriptor: { detail: 'The contact of the transfer destination does not have phone number 2' },
  });
  // Without a transfer nobody is connected to it.
  expect(await invoke({ callflow, guidanceId })).toMatchObject({ status: 'requested' });
  await pass(90);
});

test('a mail about the end of a chain says why, in both languages', async () => {
  await make('notification-settings', {
    kind: 'email',
    events: ['chain:started', 'chain:failed'],
    emails: ['night@example.com'],
  });
  const { callflowId, guidanceId } = await settings('0300000020');
  await callApi('POST', `${api}/chain/invoke`, { params: { callflowId, guidanceId } });
  await pass(10);
  const [started, failed] = (await smtp.waitFor(2)).map(({ text }) => text);
  expect(started).not.toContain('Reason');
  expect(failed).toContain('理由: 対応者がいないまま、すべてのループが終了しました');
  expect(failed).toContain('Reason: No one accepted the call');
});
