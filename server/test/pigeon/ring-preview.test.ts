// Ring preview over HTTP: equal to the calls that the simulated line then makes, with hidden numbers.
import { weekDays } from '@yagura/core/time/week-day';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const api = '/api/apps/pigeon';
let server: TestServer;
let clock: ManualClock;
let callApi: ApiCall;
const ids: Record<string, string> = {};

interface Preview {
  calls: { startsAt: number; endsAt: number; status: string; reason: string | null; phoneNumber: string }[];
  status: string;
  reason: string;
  endsAt: number;
}

beforeAll(async () => {
  clock = new ManualClock();
  server = (await startTestServer({ clock }))!;
  callApi = createApiCall(server.transportAs('privileged'));
  const make = async (path: string, body: object) => {
    const reply = await callApi('POST', `${api}/${path}`, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.data as Record<string, string>;
  };
  const contacts = [];
  for (const [displayName, phoneNumber] of [
    ['Ann', '0300000000'],
    ['Ben', '0300000020'],
    ['Cho', '0300000015'],
  ]) {
    const { contactId } = await make('contacts', { displayName, phones: [{ phoneNumber }] });
    contacts.push({ contactId });
    ids.contactId = contactId!;
  }
  ids.callflowId = (await make('callflows', { displayName: 'night', loopLimit: 2, contacts })).callflowId!;
  ids.guidanceId = (
    await make('guidances', {
      displayName: 'disk',
      messageTemplate: 'The disk of {{host}} is full',
      reactions: { 5: { behavior: 'terminate', messageTemplate: 'Thank you.' } },
    })
  ).guidanceId!;
});
afterAll(() => server?.stop());

const params = () => ({
  callflowId: ids.callflowId,
  guidanceId: ids.guidanceId,
  parameters: { host: 'db-1' },
});
const assumptions = {
  phones: [
    { position: 2, assume: 'busy' },
    { position: 3, assume: 'key:5:2' },
  ],
};

test('a chain finds a contact by an id in upper case', async () => {
  const { callflowId: _callflowId, ...rest } = params();
  const contactId = ids.contactId!.toUpperCase();
  const reply = await callApi('POST', `${api}/chain/preview`, {
    params: { ...rest, callflow: { contacts: [{ contactId }] } },
  });
  expect(reply.status, reply.text).toBe(200);
  expect(reply.data).toMatchObject({ calls: [{ phoneNumber: expect.stringContaining('0') }] });
});

test('the preview tells within a second what the simulated line then does', async () => {
  const reply = await callApi('POST', `${api}/chain/preview`, { params: params(), ...assumptions });
  expect(reply.status, reply.text).toBe(200);
  const preview = reply.data as unknown as Preview;
  expect(preview).toMatchObject({ status: 'succeeded', reason: 'terminated', isCut: false });
  const { data } = await callApi('POST', `${api}/chain/invoke`, { params: params() });
  await server.settled();
  const started = clock.now();
  for (let second = 0; second <= preview.endsAt + 5; second++) {
    clock.advance(1000);
    await server.settled();
  }
  const { data: result } = await callApi('GET', `${api}/results/${(data as { resultId: string }).resultId}`);
  const { calls, status } = result as unknown as {
    status: string;
    calls: { startedAt: string; endedAt: string; status: string; reason: string | null }[];
  };
  expect(status).toBe('succeeded');
  expect(calls.map((call) => [call.status, call.reason])).toEqual(
    preview.calls.map((call) => [call.status, call.reason]),
  );
  expect(preview.calls).toHaveLength(3);
  for (const [index, { startedAt, endedAt }] of calls.entries()) {
    const { startsAt, endsAt } = preview.calls[index]!;
    expect(Math.abs((Date.parse(startedAt) - started) / 1000 - startsAt)).toBeLessThanOrEqual(1);
    expect(Math.abs((Date.parse(endedAt) - started) / 1000 - endsAt)).toBeLessThanOrEqual(1);
  }
});

test('a preview leaves no result', async () => {
  const total = async () => ((await callApi('GET', `${api}/results`)).data as { total: number }).total;
  const before = await total();
  await callApi('POST', `${api}/chain/preview`, { params: params() });
  expect(await total()).toBe(before);
});

test('an operator sees no numbers', async () => {
  const operator = createApiCall(server.transportAs(['pigeon:operator']));
  const { data } = await operator('POST', `${api}/chain/preview`, { params: params() });
  expect((data as unknown as Preview).calls.map(({ phoneNumber }) => phoneNumber)).toEqual(
    Array(6).fill('********'),
  );
});

test('a preview is refused to callers who may not see contacts', async () => {
  const viewer = createApiCall(server.transportAs(['alerthub:viewer']));
  expect((await viewer('POST', `${api}/chain/preview`, { params: params() })).status).toBe(403);
});

test.each([
  [{ assume: 'sings' }, 400, 'assume'],
  [{ assume: 'key:5:4' }, 400, 'assume'],
  [{ phones: [{ position: 0, assume: 'busy' }] }, 400, 'phones.0.position'],
  [{ phones: [{ position: 1, assume: 'key:0' }] }, 400, 'phones.0.assume'],
])('%j is refused with the name of the field', async (more, status, name) => {
  const reply = await callApi('POST', `${api}/chain/preview`, { params: params(), ...more });
  expect(reply.status).toBe(status);
  expect((reply.data as { invalidParams: { name: string }[] }).invalidParams.map((one) => one.name)).toEqual([
    name,
  ]);
});

test('a callflow that does not exist is a rejection with its reason', async () => {
  const reply = await callApi('POST', `${api}/chain/preview`, {
    params: { ...params(), callflowId: '00000000-0000-4000-8000-000000000000' },
  });
  expect([reply.status, (reply.data as { detail: string }).detail]).toEqual([
    409,
    'The callflow does not exist',
  ]);
});

describe('a callflow with quiet hours', () => {
  const detail = 'The callflow has quiet hours until 2026-01-02 07:00 (Asia/Tokyo)';
  const nights = {
    timeZone: 'Asia/Tokyo',
    windows: [{ weekDays: ['thursday'], startTime: '22:00', endTime: '07:00' }],
  };
  const inline = (quietHours: unknown) => ({
    callflow: { contacts: [{ phones: [{ phoneNumber: '0300000000' }] }], quietHours },
    guidanceId: ids.guidanceId,
    parameters: { host: 'db-1' },
  });
  const reach = (time: string) => {
    clock.sleep(Date.parse(time) - clock.now());
    return server.settled();
  };
  let quiet: Record<string, unknown>;

  beforeAll(async () => {
    const { contacts } = (await callApi('GET', `${api}/callflows/${ids.callflowId}`)).data as {
      contacts: [];
    };
    const reply = await callApi('POST', `${api}/callflows`, {
      displayName: 'quiet nights',
      loopLimit: 1,
      contacts,
      quietHours: nights,
    });
    expect(reply.status, reply.text).toBe(201);
    quiet = { ...params(), callflowId: (reply.data as { callflowId: string }).callflowId };
  });

  test('calls nobody until they end, and the preview says so', async () => {
    await reach('2026-01-01T12:59:00Z');
    const running = await callApi('POST', `${api}/chain/invoke`, { params: quiet });
    const { resultId } = running.data as { resultId: string };
    await reach('2026-01-01T13:00:00Z');
    for (const rejected of [quiet, inline(nights)]) {
      const { status, data } = await callApi('POST', `${api}/chain/invoke`, { params: rejected });
      expect([status, data]).toMatchObject([200, { status: 'rejected', errorDescriptor: { detail } }]);
      expect(data).not.toHaveProperty('resultId');
    }
    expect((await callApi('POST', `${api}/chain/preview`, { params: quiet })).data).toMatchObject({
      rejection: detail,
      calls: expect.objectContaining({ length: 3 }),
    });
    // A chain that was started before goes on.
    for (let at = 0; at < 25; at++) {
      clock.advance(5000);
      await server.settled();
    }
    expect((await callApi('GET', `${api}/results/${resultId}`)).data).toMatchObject({
      status: 'succeeded',
      keyInput: '5',
    });

    await reach('2026-01-01T22:00:00Z');
    expect((await callApi('POST', `${api}/chain/preview`, { params: quiet })).data).toMatchObject({
      rejection: null,
    });
    expect((await callApi('POST', `${api}/chain/invoke`, { params: quiet })).data).toMatchObject({
      status: 'requested',
    });
  });

  const [night] = nights.windows;
  test.each([
    [{ ...nights, timeZone: 'Mars' }, 'timeZone'],
    [{ ...nights, windows: [] }, 'windows'],
    [{ ...nights, windows: Array(21).fill(night) }, 'windows'],
    [{ ...nights, windows: [{ ...night, weekDays: [] }] }, 'windows.0.weekDays'],
    [{ ...nights, windows: [{ ...night, weekDays: ['caturday'] }] }, 'windows.0.weekDays.0'],
    [{ ...nights, windows: [night, { ...night, startTime: '24:00' }] }, 'windows.1.startTime'],
    [{ ...nights, windows: [{ ...night, endTime: 7 }] }, 'windows.0.endTime'],
    [
      {
        timeZone: 'UTC',
        windows: [
          { weekDays: [...weekDays], startTime: '08:00', endTime: '20:00' },
          { weekDays: [...weekDays], startTime: '20:00', endTime: '08:00' },
        ],
      },
      'windows',
    ],
  ])('%j is refused with the name of the field', async (quietHours, name) => {
    const reply = await callApi('POST', `${api}/chain/invoke`, { params: inline(quietHours) });
    expect(reply.status).toBe(400);
    expect((reply.data as { invalidParams: { name: string }[] }).invalidParams).toMatchObject([
      { name: `params.callflow.quietHours.${name}` },
    ]);
  });
});
