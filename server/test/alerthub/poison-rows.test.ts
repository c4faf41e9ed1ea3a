// One row that the database rejects in each queue: the other rows are processed, the bad one fails with a
// visible reason.

import type { DecisionLog } from '@yagura/core/alerthub/decision-log';
import { explainDecisions } from '@yagura/core/alerthub/engine/explain/explain-decisions';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Retention } from '../../src/alerthub/retention/retention.ts';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient, api } from '../support/alert-client.ts';
import { post } from '../support/post.ts';
import { refuseRows } from '../support/sql/refuse-rows.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

type Body = Record<string, unknown>;
const minute = 60_000;

/** Renders more than 1 MiB from a message of a few hundred bytes. */
const bomb = `${'{{#message.content.data.n}}'.repeat(3)}${'x'.repeat(2000)}${'{{/message.content.data.n}}'.repeat(3)}`;
const charge = { n: Array.from({ length: 100 }, () => 0) };
const late = {
  conditionId: 'event-value-after',
  params: { seconds: 60, value: 'latest', comparison: 'ge', number: 1 },
};

describe.each(storeKinds)('on %s', (engine) => {
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

  const database = () => server!.services.database;
  const rowsOf = async <T = Body>(text: string, values: unknown[] = []) =>
    (await database().query<T>(text, values)).rows;
  const refuse = (table: string, when: string, on?: string) => refuseRows(database, table, when, on);
  /** Advances the clock and waits for due work, including the timers it sets. */
  const until = (done: () => Promise<unknown>, expected: unknown) =>
    expect
      .poll(
        async () => {
          await caller.advance(0);
          return done();
        },
        { timeout: 20_000 },
      )
      .toEqual(expected);
  const makeBomb = (label: string) =>
    caller.make<{ actionId: string }>('actions', {
      displayName: `bomb ${label}`,
      kind: 'webhook',
      parameters: { url: 'http://127.0.0.1:9/', body: bomb },
    });
  const said = async (why: DecisionLog) =>
    Promise.all(
      (['en', 'ja'] as const).map(async (language) =>
        explainDecisions(why, await loadTranslator(language))
          .map(({ text }) => text)
          .join('\n'),
      ),
    );

  test('a template that renders past every bound fails alone, at once, later and in a runbook', async () => {
    const line = await caller.createAlertPath();
    const { actionId } = await makeBomb('everywhere');
    const bad = { displayName: 'bad', target: { kind: 'action', id: actionId } };
    await line.trigger([], bad);
    await line.trigger();
    await line.trigger([late], { ...bad, displayName: 'bad, later' });
    await line.trigger([late], { displayName: 'good, later' });
    const runbook = await caller.make<{ runbookId: string }>('runbooks', {
      displayName: 'bomb',
      startStepId: 'a',
      steps: [
        { stepId: 'a', kind: 'action', displayName: 'a', params: { actionId, wait: false }, next: null },
      ],
    });
    await line.trigger([], { displayName: 'book', target: { kind: 'runbook', id: runbook.runbookId } });
    const messageId = await line.send(1, charge);
    await caller.advance(minute);
    await until(async () => (await line.why(messageId)).deliveries.length, 5);
    const why = await line.why(messageId);
    expect(why.notes).toEqual([]);
    const failed = why.deliveries.filter((one) => one.actionId === actionId);
    expect(failed.map(({ status, attempts }) => [status, attempts[0]!.reason!.word])).toEqual(
      failed.map(() => ['failed', 'delivery.badTemplate']),
    );
    expect(failed).toHaveLength(3);
    for (const text of await said(why)) expect(text).toMatch(/1048576|1,048,576/);
    const record = await caller.show<{ request: unknown }>(`action-records/${failed[0]!.actionRecordId}`);
    expect(record.request).toBeNull();
    const resent = await caller.callApi('POST', `${api}/action-records/${failed[0]!.actionRecordId}/resend`);
    expect(resent.status).toBe(409);
    expect(
      await rowsOf('select status, reason is not null as told from runbook_record where runbook_id = $1', [
        runbook.runbookId,
      ]),
    ).toEqual([{ status: 'failed', told: true }]);
    expect(await rowsOf('select 1 from waiting_trigger')).toEqual([]);
  });

  test('messages', async () => {
    const line = await caller.createAlertPath();
    const slot = (await caller.show<{ primary: string }>(`receive-slots/${line.receiveSlotId}`)).primary;
    const free = await refuse('event', `new.delta = 1 and new.scope_id = '${line.scopeId}'`);
    const sent = await Promise.all(
      [-1, -1, 1, -1, 1, -1, -1].map((delta, index) => post(slot, JSON.stringify({ delta, index }))),
    );
    const ids = await Promise.all(
      sent.map(async (reply) => ((await reply.json()) as { messageId: string }).messageId),
    );
    await server!.settled();
    const outcomes = await Promise.all(ids.map(async (id) => (await line.why(id)).notes[0]?.word ?? 'done'));
    expect(outcomes).toEqual(['done', 'done', 'why.threw', 'done', 'why.threw', 'done', 'done']);
    expect((await line.events()).length).toBe(5);
    for (const text of await said(await line.why(ids[2]!))) expect(text).toContain('poison');
    // Posts that are sent at the same time arrive in any order.
    const troubles = await rowsOf<{ about_id: string }>(
      `select about_id from trouble where kind = 'message'`,
    );
    expect(troubles.map(({ about_id }) => about_id).sort()).toEqual([ids[2], ids[4]].sort());
    await free();
    await server!.restart();
    await line.send(1);
    expect((await line.scope()).severity).toBe(1);
  });

  test('messages that can be neither decided nor marked come back later', async () => {
    const line = await caller.createAlertPath();
    const other = await caller.createAlertPath();
    const free = await refuse(
      'decision',
      // The decision stored together with the message, and any for an already stored message.
      `new.rules::text like '%${line.ruleIds[0]}%'
         or exists (select 1 from message m where m.message_id = new.message_id and m.receive_slot_id = '${line.receiveSlotId}')`,
    );
    const bad = await line.send(1);
    await other.send(1);
    await until(async () => (await other.events()).length, 1);
    expect((await line.why(bad)).evaluatedAt).toBeNull();
    expect(await rowsOf('select message_id, attempts from message_set_aside')).toEqual([
      { message_id: bad, attempts: 1 },
    ]);
    await server!.restart();
    await caller.advance(minute);
    await until(
      () => rowsOf('select attempts, due_at is not null as aside from message_set_aside'),
      [{ attempts: 2, aside: true }],
    );
    await free();
    const keepAside = await refuse('message_pending', `new.message_id = '${bad}'`);
    const logged = server!.logLines.length;
    await caller.advance(2 * minute);
    await until(
      async () =>
        server!.logLines
          .slice(logged)
          .filter(({ error }) => String(error).includes('poison'))
          .map(({ level, message }) => [level, message])[0],
      ['warn', 'returning messages that were set aside failed, will be tried again'],
    );
    expect(await line.events()).toEqual([]);
    await keepAside();
    await caller.advance(2 * minute);
    await until(async () => (await line.events()).length, 1);
    await caller.advance(minute);
    await until(() => rowsOf('select 1 from message_set_aside'), []);
  });

  test('places in the line whose message is gone', async () => {
    const line = await caller.createAlertPath();
    await database().query(
      `insert into message_pending (message_id) select gen_random_uuid() from generate_series(1, 700)`,
    );
    await caller.advance(1000);
    await line.send(1);
    await until(async () => (await line.events()).length, 1);
    expect(await rowsOf('select 1 from message_pending')).toEqual([]);
  });

  test.each([
    ['delayed triggers', { conditions: [late] }, {}],
    ['mute ends', { conditions: [] }, { atEnd: 'fire' }],
  ])('%s', async (_, { conditions }, mute) => {
    const wrong = { thresholds: { warning: 1, incident: 2 } };
    const lines = [
      await caller.createAlertPath(wrong),
      await caller.createAlertPath(wrong),
      await caller.createAlertPath(wrong),
    ];
    const ids: string[] = [];
    for (const line of lines) {
      await line.trigger(conditions);
      if ('atEnd' in mute)
        await caller.make(`scopes/${line.scopeId}/mute-schedules`, {
          displayName: line.label,
          beginAt: new Date(clock.now() - minute).toISOString(),
          endAt: new Date(clock.now() + minute).toISOString(),
          ...mute,
        });
      ids.push(await line.send(1));
    }
    const free = await refuse('action_record', `new.scope_id = '${lines[1]!.scopeId}'`, 'insert');
    await caller.advance(minute);
    await until(async () => (await lines[2]!.records()).length, 1);
    expect(await lines[0]!.records()).toHaveLength(1);
    await until(() => rowsOf('select 1 from waiting_trigger'), []);
    const why = await lines[1]!.why(ids[1]!);
    expect(why.events[0]!.triggers[0]).toMatchObject({ outcome: 'failed' });
    for (const text of await said(why)) expect(text).toContain('poison');
    await free();
    await server!.restart();
    await until(async () => (await lines[1]!.records()).length, 0);
    expect(
      await rowsOf(`select count(*)::int as n from trouble where kind = 'trigger' and about_id = $1`, [
        lines[1]!.scopeId,
      ]),
    ).toEqual([{ n: 1 }]);
  });

  test('runbooks', async () => {
    const line = await caller.createAlertPath();
    const books: string[] = [];
    for (const name of ['good', 'poison', 'also good']) {
      const book = await caller.make<{ runbookId: string }>('runbooks', {
        displayName: `${name} ${engine}`,
        startStepId: 'a',
        steps: [
          {
            stepId: 'a',
            kind: 'event',
            displayName: name,
            params: { scopeId: line.scopeId, delta: 0 },
            next: null,
          },
        ],
      });
      books.push(book.runbookId);
      await line.trigger([late], { displayName: name, target: { kind: 'runbook', id: book.runbookId } });
    }
    const free = await refuse('runbook_record_step', `new.display_name = 'poison'`);
    await line.send(1);
    await caller.advance(minute);
    const ends = () =>
      rowsOf<{ status: string }>(
        'select status from runbook_record where runbook_id = any($1::uuid[]) order by array_position($1::uuid[], runbook_id)',
        [books],
      );
    const ended = [{ status: 'succeeded' }, { status: 'failed' }, { status: 'succeeded' }];
    await until(ends, ended);
    const failed = await caller.list<Body>(`runbook-records?filter=runbookId eq "${books[1]}"`);
    expect(failed[0]).toMatchObject({ reason: { word: 'why.threw', params: { detail: 'poison' } } });
    await free();
    await server!.restart();
    await until(ends, ended);
  });

  test('a runbook that cannot be advanced fails without the message that started it', async () => {
    const line = await caller.createAlertPath();
    const { runbookId } = await caller.make<{ runbookId: string }>('runbooks', {
      displayName: `at once ${engine}`,
      startStepId: 'a',
      steps: [
        {
          ...{ stepId: 'a', kind: 'event', displayName: 'poison at once' },
          ...{ params: { scopeId: line.scopeId, delta: 0 }, next: null },
        },
      ],
    });
    await line.trigger([], { displayName: 'at once', target: { kind: 'runbook', id: runbookId } });
    const free = await refuse('runbook_record_step', `new.display_name = 'poison at once'`);
    const messageId = await line.send(1);
    await until(
      () => rowsOf('select status from runbook_record where runbook_id = $1', [runbookId]),
      [{ status: 'failed' }],
    );
    await free();
    const why = await line.why(messageId);
    expect(why.notes).toEqual([]);
    expect(await rowsOf('select 1 from event where message_id = $1', [messageId])).toHaveLength(1);
  });

  test('recoveries', async () => {
    const lines: Awaited<ReturnType<AlertClient['createAlertPath']>>[] = [];
    for (let count = 0; count < 3; count += 1)
      lines.push(await caller.createAlertPath({ recoveryTime: 300 }));
    for (const line of lines) await line.send(1);
    const free = await refuse('severity', `new.scope_id = '${lines[1]!.scopeId}' and new.value = 0`);
    await caller.advance(5 * minute);
    const severities = () => Promise.all(lines.map(async (line) => (await line.scope()).severity));
    await until(severities, [0, 1, 0]);
    await server!.restart();
    await caller.advance(minute);
    expect(await severities()).toEqual([0, 1, 0]);
    await free();
    await caller.advance(60 * minute);
    await until(severities, [0, 0, 0]);
  });

  test('outcomes of deliveries', async () => {
    const lines = [
      await caller.createAlertPath(),
      await caller.createAlertPath(),
      await caller.createAlertPath(),
    ];
    for (const line of lines) await line.trigger();
    const free = await refuse(
      'action_record',
      `new.scope_id = '${lines[1]!.scopeId}' and new.attempts::text like '%blocked%'`,
      'update',
    );
    for (const line of lines) await line.send(1);
    const words = () =>
      Promise.all(
        lines.map(async (line) => {
          const [record] = await line.records();
          const { status, attempts } = record as unknown as {
            status: string;
            attempts: { reason: { word: string } }[];
          };
          return `${status} ${attempts.at(-1)?.reason.word}`;
        }),
      );
    const blocked = 'failed delivery.blockedAddress';
    await until(words, [blocked, 'failed delivery.threw', blocked]);
    expect(await rowsOf(`select 1 from job where queue = 'delivery'`)).toEqual([]);
    await free();
  });

  test('deliveries whose record is gone, or that say nothing to send', async () => {
    const line = await caller.createAlertPath();
    await line.trigger();
    const now = new Date(clock.now()).toISOString();
    await database().query(
      `insert into job (queue, run_at, payload) select 'delivery', $1, jsonb_build_object('actionRecordId', gen_random_uuid())
       from generate_series(1, 250)`,
      [now],
    );
    await line.send(1);
    await caller.advance(2000);
    await until(() => rowsOf(`select 1 from job where queue = 'delivery'`), []);
    await until(async () => (await line.records()).map(({ status }) => status), ['failed']);
    await database().query(
      `with broken as (update action_record set request = 'null', status = 'waiting', attempts = '[]' where action_id = $1 returning action_record_id)
       insert into job (queue, run_at, payload) select 'delivery', $2, jsonb_build_object('actionRecordId', action_record_id) from broken`,
      [line.actionId, now],
    );
    await line.send(1);
    await caller.advance(2000);
    await until(
      async () =>
        (await line.records()).map(({ attempts }) => (attempts as { reason: Body }[]).at(-1)?.reason.word),
      ['delivery.threw', 'delivery.blockedAddress'],
    );
  });

  test('the message index', async () => {
    const line = await caller.createAlertPath();
    const free = await refuse('message_search', `new.terms::text like '%poisonword%'`);
    const ids: string[] = [];
    for (const note of ['first', 'poisonword', 'last']) ids.push(await line.send(1, { note }));
    // Once more, as messages that were evaluated together.
    await rowsOf('delete from message_search where message_id = any($1::uuid[])', [ids]);
    await rowsOf('insert into message_unindexed (message_ids) values ($1::uuid[])', [ids]);
    const left = () => rowsOf('select 1 from message_unindexed');
    await expect
      .poll(async () => {
        server!.services.messageIndex.wake();
        await server!.services.messageIndex.idle();
        return left();
      })
      .toEqual([]);
    const found = async (word: string) =>
      (await caller.list(`message/list?search=${word}&filter=receiveSlotId eq "${line.receiveSlotId}"`))
        .length;
    expect([await found('first'), await found('last')]).toEqual([1, 1]);
    await free();
  });

  test('watched slots', async () => {
    const slots: { receiveSlotId: string }[] = [];
    for (const name of ['good', 'poison', 'also good'])
      slots.push(
        await caller.make<{ receiveSlotId: string }>('receive-slots', {
          displayName: `watched ${name}`,
          heartbeatInterval: 60,
        }),
      );
    const id = slots[1]!.receiveSlotId;
    const free = await refuse('slot_watch', `new.receive_slot_id = '${id}'`);
    await database().query('delete from slot_watch');
    await server!.services.slotWatch.runNow();
    clock.advance(2 * minute);
    await server!.services.slotWatch.runNow();
    const states = () =>
      rowsOf(
        `select state from slot_watch where receive_slot_id = any($1::uuid[]) order by array_position($1::uuid[], receive_slot_id)`,
        [slots.map(({ receiveSlotId }) => receiveSlotId)],
      );
    expect(await states()).toEqual([{ state: 'overdue' }, { state: 'overdue' }]);
    expect(await rowsOf(`select distinct subject_id from trouble where kind = 'slot'`)).toEqual([
      { subject_id: id },
    ]);
    await free();
    await server!.services.slotWatch.runNow();
    expect(await states()).toHaveLength(3);
  });

  test('retention', async () => {
    const line = await caller.createAlertPath();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await line.send(1));
    const free = await refuse('message', `old.message_id = '${ids[2]}'`, 'delete');
    await database().query(
      `insert into retention (space_id, message_days, history_days, updated_at) values ($1, 1, null, now())
       on conflict (space_id) do update set message_days = 1, history_days = null`,
      [server!.services.spaceId],
    );
    await server!.services.messageIndex.idle();
    const { services } = server!;
    const retention = new Retention({
      ...services,
      clock: new ManualClock(clock.now() + 2 * 24 * 60 * minute),
    });
    await retention.runNow();
    const left = async () =>
      (
        await rowsOf<{ message_id: string }>('select message_id from message where receive_slot_id = $1', [
          line.receiveSlotId,
        ])
      ).map(({ message_id }) => message_id);
    expect(await left()).toEqual([ids[2]]);
    await free();
    await retention.runNow();
    expect(await left()).toEqual([]);
  });
});
