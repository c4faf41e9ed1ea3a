// One row that cannot be done among good ones, in each queue: the good ones are done, the bad one ends with a visible reason.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../src/clock.ts';
import { api, Caller } from './alert-line.ts';
import { post } from './post.ts';
import { startWorld, storeKinds, type World } from './world.ts';

type Body = Record<string, unknown>;

/** Renders past 1 MiB from a message of some hundred bytes. */
const bomb = `${'{{#message.content.data.n}}'.repeat(3)}${'x'.repeat(2000)}${'{{/message.content.data.n}}'.repeat(3)}`;

describe.each(storeKinds)('on %s', (engine) => {
  let world: World | null;
  let clock: ManualClock;
  let caller: Caller;

  beforeAll(async () => {
    clock = new ManualClock();
    world = await startWorld({ engine, clock });
    if (world) caller = new Caller(world, clock);
  });
  beforeEach((context) => {
    if (!world) context.skip();
  });
  afterAll(() => world?.stop());

  const later = [
    {
      conditionId: 'event-value-after',
      params: { seconds: 60, value: 'latest', comparison: 'ge', number: 1 },
    },
  ];
  const makeBomb = (label: string) =>
    caller.make<{ actionId: string }>('actions', {
      displayName: `bomb ${label}`,
      kind: 'webhook',
      parameters: { url: 'http://127.0.0.1:9/', body: bomb },
    });

  test('a template that renders past every bound fails alone', async () => {
    const line = await caller.lay();
    const { actionId } = await makeBomb('at once');
    await line.trigger([], { displayName: 'bad', target: { kind: 'action', id: actionId } });
    await line.trigger();
    const messageId = await line.send(1, { n: Array.from({ length: 100 }, () => 0) });
    const why = await line.why(messageId);
    expect(why.notes).toEqual([]);
    expect(why.deliveries.map((one) => one.actionId).sort()).toEqual([actionId, line.actionId].sort());
    const bad = why.deliveries.find((one) => one.actionId === actionId)!;
    expect(bad.attempts[0]!.reason).toMatchObject({ word: 'delivery.badTemplate' });
    const record = await caller.show<{ request: unknown }>(`action-records/${bad.actionRecordId}`);
    expect(record.request).toBeNull();
    const resent = await caller.ask('POST', `${api}/action-records/${bad.actionRecordId}/resend`);
    expect(resent.status).toBe(409);
  });
});
