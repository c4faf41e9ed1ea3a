// The sip line calls the mock phone over the loopback interface; a voice of the test says a tone.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MockCall } from '@yagura/core/pigeon/mock-phone';
import { freePort } from '@yagura/fixtures/testbed/free-port';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallReport } from '../../../src/pigeon/call-report.ts';
import { type ApiCall, createApiCall } from '../../support/api-request.ts';
import { listenToChanges } from '../../support/change-listener.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { readWav, toneStrength, writeTone } from './audio-files.ts';
import { until } from './real-peers.ts';

const api = '/api/apps/pigeon/mock-phone';
const hertz = 700;
const callerId = '0501234567';

interface Phone {
  address: string | null;
  problem: string | null;
  calls: MockCall[];
  scripts: { phoneNumber: string; steps: string }[];
}

describe('the mock phone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-mock-phone-'));
  let voice: Server;
  let server: TestServer;
  let callApi: ApiCall;
  let phonePort: number;

  beforeAll(async () => {
    const tone = readFileSync(writeTone(folder, hertz, 0.5));
    voice = createServer((_request, response) => response.setHeader('content-type', 'audio/wav').end(tone));
    voice.listen(0, '127.0.0.1');
    await once(voice, 'listening');
    phonePort = await freePort();
    const file = join(folder, 'trunks.json');
    const trunk = { name: 'phone', host: '127.0.0.1', port: phonePort, callerId };
    writeFileSync(
      file,
      JSON.stringify({
        local: { address: '127.0.0.1', port: 0 },
        trunks: [{ ...trunk, numbers: { rewrite: [{ match: '^0', replace: '+81' }] } }],
      }),
    );
    chmodSync(file, 0o600);
    server = (await startTestServer({
      engine: 'embedded',
      env: {
        YAGURA_PIGEON_LINE: 'sip',
        YAGURA_PIGEON_SIP_TRUNKS: file,
        YAGURA_PIGEON_MOCK_PHONE: `127.0.0.1:${phonePort}`,
        YAGURA_PIGEON_VOICE_URL: `http://127.0.0.1:${(voice.address() as { port: number }).port}/`,
        YAGURA_OUTBOUND_ALLOW: '127.0.0.1',
      },
    }))!;
    callApi = createApiCall(server.transportAs('privileged'));
    await until(async () => (await show()).problem === null, 'the start of the phone', 30_000);
  }, 120_000);

  afterAll(async () => {
    await server?.stop();
    voice?.close();
    rmSync(folder, { recursive: true });
  });

  const show = async () => (await callApi('GET', api)).data as Phone;
  const newest = async () => (await show()).calls[0]!;
  const act = (mockCallId: string, action: string, key?: string) =>
    callApi('POST', `${api}/act`, { mockCallId, action, ...(key ? { key } : {}) });

  async function setScripts(scripts: Record<string, string>): Promise<void> {
    const rows = Object.entries(scripts).map(([phoneNumber, steps]) => ({ phoneNumber, steps }));
    const reply = await callApi('PUT', `${api}/scripts`, { scripts: rows });
    expect(reply.status, reply.text).toBe(200);
  }

  async function startChain(numbers: string[]): Promise<string> {
    const params = {
      callflow: { contacts: numbers.map((phoneNumber) => ({ phones: [{ phoneNumber }] })) },
      guidance: { messageTemplate: 'Down', reactions: { 1: { behavior: 'terminate', messageTemplate: '' } } },
    };
    const reply = await callApi('POST', '/api/apps/pigeon/chain/invoke', { params });
    expect(reply.data).toMatchObject({ status: 'requested' });
    return (reply.data as { resultId: string }).resultId;
  }

  interface Result {
    status: string;
    reason: string;
    calls: { status: string; reason: string | null; keyInput: string | null }[];
  }

  async function ended(resultId: string): Promise<Result> {
    const result = async () => (await callApi('GET', `/api/apps/pigeon/results/${resultId}`)).data as Result;
    await until(
      async () => ['succeeded', 'failed'].includes((await result()).status),
      'the end of the chain',
      15_000,
    );
    return result();
  }

  test('answers by a script, presses a key, and tells what it heard', async () => {
    await setScripts({ '+81311110001': 'ring 0.1s; answer; wait 0.6s; key 1' });
    const resultId = await startChain(['0311110001']);
    expect(await ended(resultId)).toMatchObject({
      status: 'succeeded',
      reason: 'terminated',
      calls: [{ status: 'succeeded', keyInput: '1' }],
    });
    await until(async () => (await newest()).endedAt !== null, 'the end of the call');
    const call = await newest();
    expect(call).toMatchObject({
      ...{ status: 'callerHungUp', phoneNumber: '+81311110001', callerNumber: callerId, resultId, keys: '1' },
      ...{ startedAt: expect.any(String), answeredAt: expect.any(String) },
    });
    const transport = server.transportAs('privileged');
    const reply = await fetch(`${transport.origin}${api}/heard`, {
      method: 'POST',
      headers: { ...(await transport.headers?.()), 'content-type': 'application/json' },
      body: JSON.stringify({ mockCallId: call.mockCallId }),
    });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    const file = join(folder, 'heard.wav');
    writeFileSync(file, Buffer.from(await reply.arrayBuffer()));
    const samples = readWav(file);
    // The reading begins after half a second.
    expect(samples.length).toBeGreaterThan(8000);
    expect(toneStrength(samples.slice(5000, 8000), hertz)).toBeGreaterThan(1000);
  }, 20_000);

  test('is busy, and declines', async () => {
    await setScripts({ '+81311110002': 'busy', '': 'ring 0.1s; decline' });
    const result = await ended(await startChain(['0311110002', '0311110003']));
    expect(result).toMatchObject({ status: 'failed', reason: 'loopsExhausted' });
    expect(result.calls.map(({ reason }) => reason)).toEqual(['busy', 'rejected']);
    expect((await show()).calls.slice(0, 2).map(({ status }) => status)).toEqual(['declined', 'busy']);
  }, 20_000);

  test('is answered by hand, and tells live what happens', async () => {
    await setScripts({});
    const changes = await listenToChanges(server, await server.signedIn('privileged'));
    const resultId = await startChain(['0311110004']);
    await changes.until(({ resource }) => resource === 'mock-phone');
    await until(async () => (await newest()).status === 'ringing', 'ringing');
    const { mockCallId, keys, resultId: shown } = await newest();
    expect([keys, shown]).toEqual(['', resultId]);
    expect((await act(mockCallId, 'press', '1')).status).toBe(409);
    expect((await act(mockCallId, 'hangUp')).status).toBe(409);
    expect((await act(mockCallId, 'press')).data).toMatchObject({ invalidParams: [{ name: 'key' }] });
    expect((await act(mockCallId, 'press', 'A')).data).toMatchObject({ invalidParams: [{ name: 'key' }] });
    expect((await act(randomUUID(), 'answer')).status).toBe(404);
    const answered = await act(mockCallId, 'answer');
    expect([answered.status, answered.data]).toMatchObject([200, { mockCallId, status: 'answered' }]);
    expect((await act(mockCallId, 'busy')).status).toBe(409);
    expect((await act(mockCallId, 'press', '1')).data).toMatchObject({ keys: '1' });
    expect(await ended(resultId)).toMatchObject({ status: 'succeeded', calls: [{ keyInput: '1' }] });
    await changes.close();
  }, 20_000);

  test('shows a call to the space that placed it, and refuses a call of nobody', async () => {
    const [other, resultId, callId] = [randomUUID(), randomUUID(), randomUUID()];
    const { database } = server.services;
    const now = new Date().toISOString();
    await database.query(
      `insert into space (space_id, display_name, host, created_at, updated_at)
       values ($1, 'Other', 'other.example', $2, $2)`,
      [other, now],
    );
    await database.query(
      `insert into pigeon_chain (result_id, space_id, status, callflow, guidance, parameters, message, line, source,
         loop, number_of_calls, plan, state, created_at, updated_at)
       values ($1, $2, 'succeeded', '{}', '{}', '{}', '', 'sip', 'api', 1, 1, '{}', '{}', $3, $3)`,
      [resultId, other, now],
    );
    await database.query(
      `insert into pigeon_call (call_id, space_id, result_id, number, loop, contact, phone_number, status, transfer,
         readings, started_at)
       values ($1, $2, $3, 1, 1, '{}', '0311110005', 'calling', false, 0, $4)`,
      [callId, other, resultId, now],
    );
    const before = (await show()).calls;
    const phone = server.services.mockPhone!;
    const reports: CallReport[] = [];
    const dial = (id: string) =>
      server.services.pigeon.line!.dial(
        {
          ...{ callId: id, resultId, spaceId: other, phoneNumber: '0311110005', language: 'en' },
          ...{ message: 'Down', noReplyMessage: 'Bye', reactions: {}, transferTo: null },
        },
        (report) => reports.push(report),
      );
    dial(callId);
    await until(() => phone.status(other).calls[0]?.status === 'ringing', 'ringing in the other space');
    const [call] = phone.status(other).calls;
    expect((await show()).calls).toEqual(before);
    for (const [path, body] of [
      ['act', { action: 'answer' }],
      ['heard', {}],
    ] as const) {
      const reply = await callApi('POST', `${api}/${path}`, { mockCallId: call!.mockCallId, ...body });
      expect(reply.status, reply.text).toBe(404);
    }
    expect(call!.status).toBe('ringing');
    server.services.pigeon.line!.hangUp({ callId, resultId });
    await until(() => call!.status === 'callerGaveUp', 'the end of the call');
    await until(() => reports.at(-1)?.kind === 'ended', 'the report of the end');

    reports.splice(0);
    dial(randomUUID());
    await until(() => reports.at(-1)?.kind === 'ended', 'the refusal');
    expect(reports.at(-1)).toMatchObject({ reason: 'wrongNumber' });
    expect([phone.status(other).calls.length, (await show()).calls]).toEqual([1, before]);
  }, 20_000);

  test('names the field of a wrong script, and keeps the old ones', async () => {
    await setScripts({ '': 'busy' });
    const reply = await callApi('PUT', `${api}/scripts`, {
      scripts: [
        { phoneNumber: '1', steps: 'answer; key 1' },
        { phoneNumber: '1', steps: 'answer; sing' },
        { phoneNumber: 'a b', steps: '' },
      ],
    });
    expect(reply.status).toBe(400);
    const { invalidParams } = reply.data as { invalidParams: { name: string; reason: string }[] };
    expect(invalidParams.map(({ name }) => name).sort()).toEqual([
      'scripts.1.steps',
      'scripts.2.phoneNumber',
      'scripts.2.steps',
    ]);
    expect(invalidParams.find(({ name }) => name === 'scripts.1.steps')!.reason).toContain('Step 2');
    const twice = await callApi('PUT', `${api}/scripts`, {
      scripts: ['busy', 'answer'].map((steps) => ({ phoneNumber: '1', steps })),
    });
    expect(twice.data).toMatchObject({ invalidParams: [{ name: 'scripts.1.phoneNumber' }] });
    expect((await show()).scripts).toEqual([{ phoneNumber: '', steps: 'busy' }]);
  });

  test('belongs to administrators of Pigeon, and to developer mode', async () => {
    const operator = createApiCall(server.transportAs(['pigeon:operator']));
    const administrator = createApiCall(server.transportAs(['pigeon:administrator']));
    expect([(await operator('GET', api)).status, (await administrator('GET', api)).status]).toEqual([
      403, 200,
    ]);
    await server.restart({ developerMode: false });
    const body = { mockCallId: randomUUID() };
    for (const reply of [
      await callApi('GET', api),
      await callApi('POST', `${api}/act`, { ...body, action: 'answer' }),
      await callApi('POST', `${api}/heard`, body),
      await callApi('PUT', `${api}/scripts`, { scripts: [] }),
    ])
      expect([reply.status, reply.text]).toEqual([403, expect.stringContaining('YAGURA_DEVELOPER_MODE')]);
  }, 20_000);
});
