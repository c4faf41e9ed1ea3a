// Testing rules before they are saved, over HTTP: the values at each step; nothing is stored or sent.
import type { RuleTestResult } from '@yagura/core/alerthub/engine/execution/run-rule-test';
import type { RuleTestReplyBody } from '@yagura/core/alerthub/rule-test';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient, api } from '../support/alert-client.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

const nobody = '0190a0a0-0000-7000-8000-000000000000';

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let caller: AlertClient;
  let line: Awaited<ReturnType<AlertClient['createAlertPath']>>;
  let messageId = '';

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (!server) return;
    caller = new AlertClient(server, clock);
    line = await caller.createAlertPath();
    await line.trigger([
      { conditionId: 'event-value', params: { value: 'latest', comparison: 'ge', number: 4 } },
    ]);
    messageId = await line.send(1, { note: 'stored' });
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const rule = (source: string) => ({
    receiveSlotId: line.receiveSlotId,
    flow: {
      steps: [{ operatorId: 'number-compare', params: { source, comparison: 'eq', value: 1 } }],
    },
    eventParams: [{ scopeId: line.scopeId, delta: 3 }],
  });
  const ask = (body: object) => caller.callApi('POST', `${api}/rules/test`, body);

  test.each([
    ['a stored message', () => ({ messageId })],
    ['a pasted message', () => ({ message: { content: { body: '{"delta":1}' } } })],
  ])('against %s: its steps, event and what would be sent', async (_, asked) => {
    const before = await line.events();
    const reply = await ask({ rule: rule('message.content.data.delta'), ...asked() });
    expect(reply.status, reply.text).toBe(200);
    const trial = reply.data as RuleTestResult;
    expect(trial).toMatchObject({
      matched: true,
      why: {
        receiveSlotName: line.label,
        rules: [{ outcome: 'matched', steps: [{ outcome: 'passed', seen: '1' }] }],
        events: [
          { scopeId: line.scopeId, previousSeverity: 1, severity: 4, triggers: [{ outcome: 'fired' }] },
        ],
        deliveries: [],
      },
      held: [{ actionId: line.actionId }],
    });
    await server!.settled();
    expect(await line.events()).toEqual(before);
    expect(await line.records()).toEqual([]);
    expect(await line.scope()).toMatchObject({ severity: 1 });
  });

  test('against all that its slot has received since then, in order of arrival', async () => {
    const own = await caller.createAlertPath();
    await own.send(1);
    clock.advance(1000);
    const sinceAt = new Date(clock.now()).toISOString();
    const sent = [await own.send(0), await own.send(1), await own.send(0)];
    const before = await own.events();
    const tested = { ...rule('message.content.data.delta'), receiveSlotId: own.receiveSlotId };
    const reply = await ask({ rule: tested, sinceAt });
    expect(reply.status, reply.text).toBe(200);
    const trial = reply.data as RuleTestReplyBody;
    expect(trial.trials!.map((one) => [one.messageId, one.matched])).toEqual([
      [sent[0], false],
      [sent[1], true],
      [sent[2], false],
    ]);
    expect(trial).toMatchObject({ matched: true, why: { messageId: sent[1] } });
    expect(await own.events()).toEqual(before);
    const later = new Date(clock.now() + 60_000).toISOString();
    expect(await ask({ rule: tested, sinceAt: later })).toMatchObject({
      status: 400,
      data: {
        invalidParams: [{ name: 'sinceAt', reason: 'The receive slot has received no messages since then' }],
      },
    });
  });

  test('a rule that does not match says where it stopped', async () => {
    const reply = await ask({ rule: rule('message.content.data.other'), messageId });
    expect(reply.data).toMatchObject({
      matched: false,
      why: { rules: [{ steps: [{ seen: null }] }], events: [] },
    });
  });

  test.each<[string, () => object, string]>([
    ['no message', () => ({ rule: rule('a') }), 'messageId'],
    [
      'a message and a time',
      () => ({ rule: rule('a'), messageId, sinceAt: '2026-01-01T00:00:00Z' }),
      'messageId',
    ],
    ['a time that is none', () => ({ rule: rule('a'), sinceAt: 'yesterday' }), 'sinceAt'],
    ['two messages', () => ({ rule: rule('a'), messageId, message: {} }), 'messageId'],
    ['a message that is not there', () => ({ rule: rule('a'), messageId: nobody }), 'messageId'],
    ['a step that cannot run', () => ({ rule: rule('a..b'), messageId }), 'rule.flow.steps.0.params.source'],
    [
      'a slot that is not there',
      () => ({ rule: { ...rule('a'), receiveSlotId: nobody }, messageId }),
      'rule.receiveSlotId',
    ],
    ['no rule', () => ({ messageId }), 'rule'],
  ])('%s is refused at its field', async (_, body, name) => {
    const reply = await ask(body());
    expect(reply.status, reply.text).toBe(400);
    expect(reply.data).toMatchObject({ invalidParams: [{ name }] });
  });
});
