// Which data is kept and which is deleted, on a test clock.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../src/common/clock.ts';
import { AlertClient, api } from '../../support/alert-client.ts';
import { startTestServer, storeKinds, type TestServer } from '../../support/test-server.ts';

const dayMs = 86_400_000;
const path = `${api}/retention-settings`;

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let caller: AlertClient;
  let line: Awaited<ReturnType<AlertClient['createAlertPath']>>;
  const sent: string[] = [];

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (!server) return;
    caller = new AlertClient(server, clock);
    line = await caller.createAlertPath();
    await line.trigger();
    for (const at of [1, 2, 3]) {
      sent.push(await line.send(1, { at }));
      clock.sleep(10 * dayMs);
    }
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const set = (body: object) => caller.callApi('PUT', path, body);
  const kept = async () => ({
    messages: (await caller.list<{ messageId: string }>('message/list')).map(({ messageId }) => messageId),
    events: (await line.events()).map(({ messageId }) => messageId),
  });

  test.each([
    [{ messageDays: 0 }, 'messageDays'],
    [{ messageDays: 30, historyDays: 29 }, 'historyDays'],
    [{ historyDays: 30 }, 'historyDays'],
    [{ messageDays: 3651 }, 'messageDays'],
  ])('%j is refused at its field', async (body, name) => {
    const reply = await set(body);
    expect(reply.status, reply.text).toBe(400);
    expect(reply.data).toMatchObject({ invalidParams: [{ name }] });
  });

  test('everything is kept until somebody says otherwise', async () => {
    await server!.services.retention.runNow();
    expect(await kept()).toEqual({ messages: [...sent].reverse(), events: sent });
    expect((await caller.callApi('GET', path)).data).toMatchObject({ messageDays: null, lastRunAt: null });
  });

  test('what is too old goes, in its own time, and what is counted stays', async () => {
    const counts = await caller.list('message/count/monthly?months=3');
    expect((await set({ messageDays: 15, historyDays: 25 })).status).toBe(200);
    const status = (to: string) =>
      server!.services.database.query('update action_record set status = $2 where message_id = $1', [
        sent[0],
        to,
      ]);
    await status('waiting');
    await server!.services.retention.runNow();
    // A message is kept while one of its deliveries is pending.
    expect((await kept()).messages).toEqual([sent[2], sent[0]]);
    await status('failed');
    await server!.services.retention.runNow();
    expect(await kept()).toEqual({ messages: [sent[2]], events: [sent[1], sent[2]] });
    expect(await caller.list('message/count/monthly?months=3')).toEqual(counts);
    expect((await caller.callApi('GET', path)).data).toMatchObject({
      messageDays: 15,
      removedMessages: 2,
      removedEvents: 1,
    });
    const { rows } = await server!.services.database.query<{ after: unknown }>(
      "select after from audit_record where action = 'remove-expired'",
    );
    expect(rows.map(({ after }) => after)).toMatchObject([
      { messages: 1, events: 1 },
      { messages: 1, events: 0, actionRecords: 1 },
    ]);
    // A clock that is this far ahead may be wrong.
    clock.sleep(400 * dayMs);
    await server!.services.retention.runNow();
    expect((await kept()).messages).toEqual([sent[2]]);
    clock.sleep(dayMs);
    await server!.services.retention.runNow();
    expect((await kept()).messages).toEqual([]);
    // The current severity is still known.
    expect((await kept()).events).toEqual([sent[2]]);
    expect(await line.scope()).toMatchObject({ severity: 3 });
    const why = await caller.callApi('GET', `${api}/message/detail/${sent[0]}/why`);
    expect(why.status).toBe(404);
  });
});
