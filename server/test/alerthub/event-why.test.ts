// The explanation of an event, found by its id alone, for every source of events.
import type { EventExplanation } from '@yagura/core/alerthub/decision-log';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadEventExplanation } from '../../src/alerthub/messages/decision-log.ts';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient, api } from '../support/alert-client.ts';
import { createApiCall } from '../support/api-request.ts';
import type { EventItem } from '../support/item-types.ts';
import { post } from '../support/post.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

const unknownId = '01900000-0000-7000-8000-00000000dead';

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let caller: AlertClient;

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (server) caller = new AlertClient(server, clock);
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const whyOf = (eventId: string) => caller.show<EventExplanation>(`events/${eventId}/why`);

  test('an event of a rule: its message, its rule and what its triggers ran', async () => {
    const line = await caller.createAlertPath();
    await line.trigger();
    const messageId = await line.send(1);
    const [raised] = await line.events();
    const [record] = await line.records();
    const log = await line.why(messageId);
    expect(await whyOf(raised!.eventId)).toEqual({
      event: log.events[0],
      createdAt: raised!.createdAt,
      source: 'rule',
      cause: null,
      message: {
        messageId,
        receivedAt: log.receivedAt,
        receiveSlotId: line.receiveSlotId,
        receiveSlotName: line.label,
      },
      rule: log.rules.find(({ ruleId }) => ruleId === line.ruleIds[0]),
      acknowledgements: [],
      deliveries: [expect.objectContaining({ actionRecordId: record!.actionRecordId })],
    });
  });

  test('a caller who may read neither messages nor action records sees the event alone', async () => {
    const line = await caller.createAlertPath();
    await line.trigger();
    await line.send(1);
    const [raised] = await line.events();
    const { database, spaceId } = server!.services;
    const may = { messages: false, actionRecords: false };
    expect(await loadEventExplanation(database, spaceId, raised!.eventId, may)).toMatchObject({
      event: { eventId: raised!.eventId, ruleId: line.ruleIds[0] },
      ...{ message: null, rule: null, deliveries: null },
    });
  });

  test('an event whose message is gone still names its rule', async () => {
    const line = await caller.createAlertPath();
    const messageId = await line.send(1);
    const [raised] = await line.events();
    await server!.services.database.query('delete from message where message_id = $1', [messageId]);
    expect(await whyOf(raised!.eventId)).toMatchObject({
      event: { ruleId: line.ruleIds[0] },
      ...{ source: 'rule', message: null, rule: null },
    });
  });

  test('a rule that reads a list is explained by the elements of the event', async () => {
    const slot = await caller.make<{ receiveSlotId: string; primary: string }>('receive-slots', {
      displayName: 'list',
    });
    const scope = await caller.make<{ scopeId: string }>('scopes', { displayName: 'list' });
    await caller.make('rules', {
      displayName: 'each',
      receiveSlotId: slot.receiveSlotId,
      forEach: '$.alerts[*]',
      flow: { steps: [] },
      eventParams: [{ scopeId: scope.scopeId, delta: 1 }],
    });
    await post(slot.primary, '{"alerts":[{"n":1},{"n":2}]}');
    await server!.settled();
    const events = await caller.list<EventItem>(`scopes/${scope.scopeId}/events?sort=eventId`);
    const explanations = await Promise.all(events.map(({ eventId }) => whyOf(eventId)));
    expect(explanations.map(({ rule }) => rule?.elements?.map(({ text }) => text))).toEqual([
      ['{"n":1}'],
      ['{"n":2}'],
    ]);
  });

  test('an event of the API names the token or the user, and a reset as well', async () => {
    const { scopeId } = await caller.createAlertPath();
    const person = await server!.signedIn(['alerthub:administrator']);
    const asPerson = createApiCall(person);
    const events = `${api}/scopes/${scopeId}/events`;
    const byToken = await caller.make<EventItem>(`scopes/${scopeId}/events`, { delta: 1 });
    const byPerson = (await asPerson('POST', events, { delta: 1 })).data as EventItem;
    await asPerson('POST', `${api}/scopes/${scopeId}/severities/reset`, {});
    const [reset] = await caller.list<EventItem>(`scopes/${scopeId}/events?filter=source eq "reset"`);

    const token = await whyOf(byToken.eventId);
    expect(token).toMatchObject({
      source: 'api',
      cause: { kind: 'api-token', apiTokenId: expect.any(String), name: expect.stringMatching(/./) },
      ...{ message: null, rule: null },
    });
    const user = { kind: 'person', userId: person.userId, name: expect.stringMatching(/./) };
    expect((await whyOf(byPerson.eventId)).cause).toEqual(user);
    expect(await whyOf(reset!.eventId)).toMatchObject({ source: 'reset', cause: user });
    expect(byPerson).not.toHaveProperty('cause');
  });

  test('a recovery names its recovery time', async () => {
    const line = await caller.createAlertPath({ recoveryTime: 300 });
    await line.send(1);
    await caller.advance(300_000);
    const raised = (await line.events()).at(-1)!;
    expect(await whyOf(raised.eventId)).toMatchObject({
      source: 'recovery',
      cause: { kind: 'recovery', recoveryTime: 300 },
    });
  });

  test('an event of a runbook names the record and the step', async () => {
    const scope = await caller.make<{ scopeId: string }>('scopes', { displayName: 'by runbook' });
    const runbook = await caller.make<{ runbookId: string }>('runbooks', {
      displayName: 'raise it',
      startStepId: 'raise',
      steps: [
        {
          ...{ stepId: 'raise', kind: 'event', displayName: 'Raise' },
          ...{ params: { scopeId: scope.scopeId, delta: 2 }, next: 'unnamed' },
        },
        { stepId: 'unnamed', kind: 'event', params: { scopeId: scope.scopeId, delta: 1 } },
      ],
    });
    const slot = await caller.make<{ primary: string }>('receive-slots', {
      ...{ displayName: 'runbook', runbookId: runbook.runbookId },
    });
    const reply = await post(slot.primary, '{}');
    const { messageId } = (await reply.json()) as { messageId: string };
    await server!.settled();
    const [raised, byUnnamed] = await caller.list<EventItem>(`scopes/${scope.scopeId}/events?sort=eventId`);
    const [record] = await caller.list<{ runbookRecordId: string }>(
      `runbook-records?filter=sourceMessageId eq "${messageId}"`,
    );
    expect(await whyOf(raised!.eventId)).toMatchObject({
      source: 'runbook',
      cause: {
        kind: 'runbook',
        runbookRecordId: record!.runbookRecordId,
        ...{ runbookName: 'raise it', stepName: 'Raise' },
      },
      message: { messageId },
      rule: null,
    });
    expect((await whyOf(byUnnamed!.eventId)).cause).toMatchObject({ stepName: 'unnamed' });
  });

  test.each([unknownId, 'x', '%00'])('there is no event %s', async (id) => {
    const reply = await caller.callApi('GET', `${api}/events/${id}/why`);
    expect(reply.status, reply.text).toBe(404);
  });

  test('the event of another space is unknown', async () => {
    const line = await caller.createAlertPath();
    await line.send(1);
    const [raised] = await line.events();
    const may = { messages: true, actionRecords: true };
    const { database } = server!.services;
    expect(await loadEventExplanation(database, unknownId, raised!.eventId, may)).toBeUndefined();
  });
});
