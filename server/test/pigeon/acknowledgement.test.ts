// A key pressed on the phone acknowledges the event that the call is about, and result and event name each other.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { post } from '../support/post.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const pigeon = '/api/apps/pigeon';
const hub = '/api/apps/alerthub';
let server: TestServer;
let clock: ManualClock;
let callApi: ApiCall;
let slot: { receiveSlotId: string; primary: string };
let guidanceId: string;
let count = 0;

interface Event {
  eventId: string;
  scopeId: string;
  messageId: string;
  acknowledgements: { name: string; keyInput: string; resultId: string; acknowledgedAt: string }[];
}

beforeAll(async () => {
  clock = new ManualClock();
  server = (await startTestServer({ clock }))!;
  callApi = createApiCall(server.transportAs('privileged'));
  slot = await make(`${hub}/receive-slots`, {});
  ({ guidanceId } = await make<{ guidanceId: string }>(`${pigeon}/guidances`, {
    messageTemplate: 'Disk full',
    reactions: {
      1: { behavior: 'terminate', acknowledge: true },
      2: { behavior: 'continue', acknowledge: true },
      3: { behavior: 'terminate' },
    },
  }));
});
afterAll(() => server?.stop());

async function make<T>(path: string, body: object): Promise<T> {
  const reply = await callApi('POST', path, { displayName: `made ${++count}`, ...body });
  expect(reply.status, reply.text).toBe(201);
  return reply.data as T;
}
const get = async <T>(path: string, by = callApi) => (await by('GET', path)).data as T;

/** Raises an event whose trigger calls these numbers, itself or with a runbook, and runs the chain to its end. */
async function raise(
  numbers: Record<string, string>,
  by: 'action' | 'runbook' = 'action',
): Promise<{ event: Event; resultId: string }> {
  const event = await raiseOnly(numbers, by);
  const results = await get<{ items: { resultId: string }[] }>(
    `${pigeon}/results?filter=${encodeURIComponent(`eventId eq "${event.eventId}"`)}`,
  );
  expect(results.items).toHaveLength(1);
  return { event, resultId: results.items[0]!.resultId };
}

async function raiseOnly(
  numbers: Record<string, string>,
  by: 'action' | 'runbook',
  more: object = {},
  seconds = 60,
): Promise<Event> {
  const contacts = await Promise.all(
    Object.entries(numbers).map(([displayName, phoneNumber]) =>
      make<{ contactId: string }>(`${pigeon}/contacts`, {
        displayName: `${displayName} ${++count}`,
        phones: [{ phoneNumber }],
      }),
    ),
  );
  const { callflowId } = await make<{ callflowId: string }>(`${pigeon}/callflows`, {
    loopLimit: 1,
    contacts: contacts.map(({ contactId }) => ({ contactId })),
    ...more,
  });
  const { actionId } = await make<{ actionId: string }>(`${hub}/actions`, {
    kind: 'pigeon',
    parameters: { callflowId, guidanceId },
  });
  const target =
    by === 'action' ? { kind: 'action', id: actionId } : { kind: 'runbook', id: await makeRunbook(actionId) };
  const { scopeId } = await make<{ scopeId: string }>(`${hub}/scopes`, {});
  const { ruleId } = await make<{ ruleId: string }>(`${hub}/rules`, {
    receiveSlotId: slot.receiveSlotId,
    eventParams: [{ scopeId, delta: 1 }],
  });
  await make(`${hub}/scopes/${scopeId}/triggers`, { target });
  await post(slot.primary, '{}');
  await server.settled();
  for (let second = 0; second < seconds; second++) {
    clock.advance(1000);
    await server.settled();
  }
  await callApi('DELETE', `${hub}/rules/${ruleId}`);
  const { items } = await get<{ items: Event[] }>(`${hub}/scopes/${scopeId}/events`);
  expect(items).toHaveLength(1);
  return items[0]!;
}

async function makeRunbook(actionId: string): Promise<string> {
  const { runbookId } = await make<{ runbookId: string }>(`${hub}/runbooks`, {
    startStepId: 'call',
    steps: [{ stepId: 'call', kind: 'action', displayName: 'call', params: { actionId }, next: null }],
  });
  return runbookId;
}

test('each callee with such a key is recorded, and the explanation of the event links the calls', async () => {
  const { event, resultId } = await raise({ Ann: '0300000002', Ben: '0300000001' });
  expect(event.acknowledgements).toMatchObject([
    { name: expect.stringMatching(/^Ann /), keyInput: '2', resultId },
    { name: expect.stringMatching(/^Ben /), keyInput: '1', resultId },
  ]);
  const [first, second] = event.acknowledgements.map((one) => Date.parse(one.acknowledgedAt));
  expect(second! - first!).toBeGreaterThan(0);
  expect(await get(`${hub}/scopes/${event.scopeId}`)).toMatchObject({
    acknowledgedAt: event.acknowledgements[1]!.acknowledgedAt,
    acknowledgedBy: event.acknowledgements[1]!.name,
  });
  expect(await get(`${pigeon}/results/${resultId}`)).toMatchObject({
    source: 'trigger',
    eventId: event.eventId,
    messageId: event.messageId,
    actionRecordId: expect.any(String),
    scopeId: expect.any(String),
    runbookRecordId: null,
  });
  expect(await get(`${hub}/events/${event.eventId}/why`)).toMatchObject({
    acknowledgements: event.acknowledgements,
    deliveries: [{ resultId }],
  });
});

test('a chain that a runbook starts is about the event that started the runbook', async () => {
  const { event, resultId } = await raise({ Ann: '0300000001' }, 'runbook');
  expect(event.acknowledgements).toMatchObject([{ keyInput: '1', resultId }]);
  expect(await get(`${pigeon}/results/${resultId}`)).toMatchObject({
    eventId: event.eventId,
    scopeId: expect.any(String),
    runbookRecordId: expect.any(String),
  });
});

test.each(['action', 'runbook'] as const)(
  'in quiet hours the delivery of the %s fails and says until when',
  async (by) => {
    const windows = [{ weekDays: ['thursday'], startTime: '00:00', endTime: '12:00' }];
    const event = await raiseOnly({ Ann: '0300000001' }, by, { quietHours: { timeZone: 'UTC', windows } }, 3);
    expect(event.acknowledgements).toEqual([]);
    const { items } = await get<{ items: { attempts: { reason: object }[]; createdAt: string }[] }>(
      `${hub}/action-records?sort=-createdAt&limit=1`,
    );
    expect(items).toMatchObject([
      {
        status: 'failed',
        attempts: [
          {
            reason: {
              word: 'pigeon.rejected.quiet',
              params: { until: '2026-01-01 12:00', zone: 'UTC' },
            },
          },
        ],
      },
    ]);
  },
);

test('an event that was followed by a worse one is acknowledged, the status of the scope is not', async () => {
  const { eventId, scopeId } = await raiseOnly({ Ann: '0300000001' }, 'action', {}, 1);
  const triggers = await get<{ items: { triggerId: string }[] }>(`${hub}/scopes/${scopeId}/triggers`);
  await callApi('DELETE', `${hub}/scopes/${scopeId}/triggers/${triggers.items[0]!.triggerId}`);
  await make(`${hub}/scopes/${scopeId}/events`, { delta: 5 });
  for (let second = 0; second < 60; second++) {
    clock.advance(1000);
    await server.settled();
  }
  const { items } = await get<{ items: Event[] }>(`${hub}/scopes/${scopeId}/events?sort=createdAt`);
  expect(items[0]).toMatchObject({ eventId, acknowledgements: [{ keyInput: '1' }] });
  expect(await get(`${hub}/scopes/${scopeId}`)).toMatchObject({ status: 'incident', acknowledgedAt: null });
});

test('a key without the option, and no key, acknowledge nothing', async () => {
  expect((await raise({ Ann: '0300000003' })).event.acknowledgements).toEqual([]);
  expect((await raise({ Ann: '0300000020' })).event.acknowledgements).toEqual([]);
});

test('a chain started by the API is about no event', async () => {
  const { contactId } = await make<{ contactId: string }>(`${pigeon}/contacts`, {
    phones: [{ phoneNumber: '0300000001' }],
  });
  const { callflowId } = await make<{ callflowId: string }>(`${pigeon}/callflows`, {
    contacts: [{ contactId }],
  });
  const { data } = await callApi('POST', `${pigeon}/chain/invoke`, { params: { callflowId, guidanceId } });
  for (let second = 0; second < 15; second++) {
    clock.advance(1000);
    await server.settled();
  }
  expect(await get(`${pigeon}/results/${(data as { resultId: string }).resultId}`)).toMatchObject({
    status: 'succeeded',
    keyInput: '1',
    eventId: null,
    actionRecordId: null,
  });
});

test.each([['yes'], [1], [null]])('acknowledge: %j is refused', async (acknowledge) => {
  const reply = await callApi('POST', `${pigeon}/guidances`, {
    displayName: 'x',
    messageTemplate: 'x',
    reactions: { 1: { behavior: 'terminate', acknowledge } },
  });
  expect([reply.status, (reply.data as { invalidParams: { name: string }[] }).invalidParams]).toMatchObject([
    400,
    [{ name: 'reactions.1.acknowledge' }],
  ]);
});
