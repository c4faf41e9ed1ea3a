// Work that cannot be done ends or is put off alone: what waits beside it, and is alike, stays as it is.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  deleteOrphanedPending,
  failMessage,
  failRunbookRecord,
  failWaitingTrigger,
  findFirstPending,
  postponeMessage,
  postponeRecovery,
  postponeRow,
  requeuePostponedMessages,
} from '../../src/alerthub/pipeline/fail-pending.ts';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { Database } from '../../src/db/database.ts';
import { createStoreWithTables, storeKinds, type TestStore } from '../support/test-store.ts';

const minute = 60_000;
const now = '2026-01-01T00:00:00.000Z';
const at = (milliseconds: number) => isoTime(Date.parse(now) + milliseconds);
const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const numberOf = (id: string) => Number(id.slice(-12));
const space = idOf(901);
const error = new Error('cannot be done');
const told = { params: { detail: 'cannot be done' } };

describe.each(storeKinds)('on %s', (kind) => {
  let store: TestStore | null;
  let database: Database;
  const clock = new ManualClock(Date.parse(now));
  const nextId = createIdSource(clock);
  const deps = () => ({ database, clock, nextId });

  beforeAll(async () => {
    store = await createStoreWithTables(kind);
    if (store) database = await store.open();
  });
  beforeEach(async (context) => {
    if (!store) return context.skip();
    await database.query(
      `truncate message, message_pending, message_set_aside, decision, event, waiting_trigger, runbook_record,
         runbook_record_step, scope_state, trouble, message_count, message_unindexed`,
    );
  });
  afterAll(() => store?.remove());

  const rowsOf = async (text: string, values: unknown[] = []) => (await database.query(text, values)).rows;
  const queued = async () =>
    (
      await database.query<{ seq: string; id: string }>(
        'select seq::text as seq, message_id as id from message_pending order by message_pending.seq',
      )
    ).rows;
  const queuedNumbers = async () => (await queued()).map(({ id }) => numberOf(id));
  async function addMessages(...numbers: number[]): Promise<void> {
    for (const number of numbers)
      await database.query(
        `insert into message (message_id, space_id, receive_slot_id, receive_slot_kind, place, received_at, request_url, headers, body, size, summary, fingerprint)
         values ($1, $2, $2, 'webhook', 'primary', $3, 'x', '{}', '\\x41', 1, '', '\\x00')`,
        [idOf(number), space, now],
      );
  }
  async function queue(...numbers: number[]): Promise<void> {
    for (const number of numbers)
      await database.query('insert into message_pending (message_id) values ($1)', [idOf(number)]);
  }
  const keyOf = async (number: number) => {
    const { seq, id } = (await queued()).find((one) => numberOf(one.id) === number)!;
    return { seq, messageId: id };
  };
  /** Keys that name a row no more: another position of this message, and another message at this position. */
  const outdatedKeys = async (number: number) => {
    const { seq, messageId } = await keyOf(number);
    return [
      { seq: '9999999', messageId },
      { seq, messageId: idOf(999) },
    ];
  };

  test('the first message of the queue is found, and entries without their message are removed', async () => {
    expect(await findFirstPending(database)).toBeUndefined();
    await addMessages(1, 2);
    await queue(2, 3, 1);
    expect(await findFirstPending(database)).toEqual(await keyOf(2));
    expect(await deleteOrphanedPending(database)).toBe(1);
    expect(await queuedNumbers()).toEqual([2, 1]);
  });

  test('a failed message leaves the queue alone, with its reason', async () => {
    await addMessages(1, 2);
    await queue(1, 2);
    for (const key of await outdatedKeys(1))
      expect(await failMessage(database, deps(), key, error)).toEqual([]);
    expect(await queuedNumbers()).toEqual([1, 2]);
    expect(await failMessage(database, deps(), await keyOf(1), error)).toEqual([
      { spaceId: space, resource: 'message', id: idOf(1), op: 'update', at: now },
    ]);
    expect(await queuedNumbers()).toEqual([2]);
    expect(await rowsOf('select message_id, matched, total, notes from decision')).toMatchObject([
      { message_id: idOf(1), matched: 0, total: 0, notes: [told] },
    ]);
    expect(await rowsOf('select received, matched from message_count')).toEqual([
      { received: 1, matched: 0 },
    ]);
    expect(await rowsOf('select kind, about_id from trouble')).toEqual([
      { kind: 'message', about_id: idOf(1) },
    ]);
  });

  test('a message that is put off comes back after a minute, and then after two', async () => {
    await addMessages(1, 2);
    await queue(1, 2);
    await database.query(
      `insert into message_set_aside (message_id, space_id, attempts, due_at, reason) values ($1, $2, 7, $3, '{}')`,
      [idOf(2), space, at(99 * minute)],
    );
    const aside = () =>
      rowsOf('select attempts, due_at from message_set_aside where message_id = $1', [idOf(1)]);
    for (const key of await outdatedKeys(1)) await postponeMessage(database, deps(), key, error);
    expect(await queuedNumbers()).toEqual([1, 2]);
    await postponeMessage(database, deps(), await keyOf(1), error);
    expect(await queuedNumbers()).toEqual([2]);
    expect(await aside()).toEqual([{ attempts: 1, due_at: at(minute) }]);
    await queue(1);
    await postponeMessage(database, deps(), await keyOf(1), error);
    expect(await aside()).toEqual([{ attempts: 2, due_at: at(2 * minute) }]);
  });

  test('messages that were put off are queued again exactly at their time, each once', async () => {
    await addMessages(1, 2, 3, 4, 5);
    const set = (number: number, delay: number) =>
      database.query(
        `insert into message_set_aside (message_id, space_id, attempts, due_at, reason) values ($1, $2, 1, $3, '{}')`,
        [idOf(number), space, at(delay)],
      );
    const dueTimes = async () =>
      Object.fromEntries(
        (
          await database.query<{ id: string; due_at: string }>(
            'select message_id as id, due_at from message_set_aside order by 1',
          )
        ).rows.map(({ id, due_at }) => [numberOf(id), Date.parse(due_at) - Date.parse(now)]),
      );
    const requeue = () => requeuePostponedMessages(database, clock.now());
    await set(1, 1);
    expect(await requeue()).toBe(false);
    // Queued already by an earlier turn: it is not queued twice.
    await queue(2);
    await set(2, 0);
    expect(await requeue()).toBe(false);
    await set(3, 0);
    expect(await requeue()).toBe(true);
    expect(await queuedNumbers()).toEqual([2, 3]);
    // Looked at again after a minute: an entry goes once its message is decided, and no earlier.
    expect(await dueTimes()).toEqual({ 1: 1, 2: minute, 3: minute });
    for (const number of [4, 5])
      await database.query(
        `insert into decision (message_id, space_id, evaluated_at, matched, total, rules, notes) values ($1, $2, $3, 0, 0, '[]', '[]')`,
        [idOf(number), space, now],
      );
    await set(4, 0);
    await set(5, 1);
    expect(await requeue()).toBe(false);
    expect(Object.keys(await dueTimes())).toEqual(['1', '2', '3', '5']);
  });

  async function addTrigger(number: number, eventNumber: number, cause = 'mute'): Promise<void> {
    await database.query(
      `insert into waiting_trigger (waiting_trigger_id, space_id, scope_id, trigger_id, event_id, cause, due_at, trigger_values)
       values ($1, $2, $2, $1, $3, $4, $5, '{}')`,
      [idOf(number), space, idOf(eventNumber), cause, now],
    );
  }
  const addEvent = (number: number, triggers: number[]) =>
    database.query(
      `insert into event (event_id, space_id, scope_id, severity_name, delta, previous_severity, severity, status_before, status, source, triggers, created_at)
       values ($1, $2, $2, 'default', 1, 0, 1, 'normal', 'warning', 'rule', $3, $4)`,
      [
        idOf(number),
        space,
        JSON.stringify(triggers.map((one) => ({ triggerId: idOf(one), outcome: 'waiting' }))),
        now,
      ],
    );

  test('a waiting trigger fails in the decisions of its event, and no other does', async () => {
    await addEvent(10, [1, 2]);
    await addEvent(11, [1]);
    await addTrigger(1, 10);
    await addTrigger(2, 10, 'delay');
    const decisions = async (event: number) =>
      (await rowsOf('select triggers from event where event_id = $1', [idOf(event)]))[0]!.triggers;
    expect(await failWaitingTrigger(database, deps(), idOf(1), error)).toEqual([
      { spaceId: space, resource: 'event', id: idOf(10), op: 'update', at: now },
    ]);
    const waits = (number: number) => ({ triggerId: idOf(number), outcome: 'waiting' });
    expect(await decisions(10)).toMatchObject([
      { triggerId: idOf(1), outcome: 'failed', notes: [told], releasedAt: now },
      waits(2),
    ]);
    expect(await decisions(11)).toEqual([waits(1)]);
    expect(await rowsOf('select waiting_trigger_id as id from waiting_trigger')).toEqual([{ id: idOf(2) }]);
    await failWaitingTrigger(database, deps(), idOf(2), error);
    const [, second] = (await decisions(10)) as object[];
    expect(second).toMatchObject({ outcome: 'failed', notes: [told] });
    expect(second).not.toHaveProperty('releasedAt');
    // An event whose decisions were not kept.
    await addEvent(12, []);
    await addTrigger(3, 12);
    await failWaitingTrigger(database, deps(), idOf(3), error);
    expect(await decisions(12)).toEqual([]);
    expect(await rowsOf('select 1 from waiting_trigger')).toEqual([]);
  });

  async function addRecord(number: number): Promise<void> {
    await database.query(
      `insert into runbook_record (runbook_record_id, space_id, runbook_id, status, origin, depth, display_name, flow, context, requested_at, updated_at, due_at, at_step)
       values ($1, $2, $2, 'processing', 'trigger', 0, '', '{}', '{}', $3, $3, $3, 'step')`,
      [idOf(number), space, at(-minute)],
    );
    for (const [seq, status] of ['succeeded', 'processing'].entries())
      await database.query(
        `insert into runbook_record_step (runbook_record_id, space_id, seq, step_id, flow_step_id, kind, display_name, status, started_at)
         values ($1, $2, $3, $4, 'step', 'action', '', $5, $6)`,
        [idOf(number), space, seq, `step ${seq}`, status, now],
      );
  }

  test('a runbook record fails with the step that it is at, and no other does', async () => {
    await addRecord(1);
    await addRecord(2);
    expect(await failRunbookRecord(database, deps(), idOf(1), error)).toEqual([
      { spaceId: space, resource: 'runbook-record', id: idOf(1), op: 'update', at: now },
    ]);
    const record =
      'select status, reason, at_step, due_at, ended_at from runbook_record order by runbook_record_id';
    expect(await rowsOf(record)).toMatchObject([
      { status: 'failed', reason: told, at_step: null, due_at: null, ended_at: now },
      { status: 'processing', reason: null, at_step: 'step', due_at: at(-minute), ended_at: null },
    ]);
    const steps = 'select status from runbook_record_step order by runbook_record_id, seq';
    expect((await rowsOf(steps)).map(({ status }) => status)).toEqual([
      ...['succeeded', 'failed'],
      ...['succeeded', 'processing'],
    ]);
  });

  test('a recovery is put off by an hour and reported, and no other is', async () => {
    for (const number of [1, 2])
      await database.query(
        `insert into scope_state (scope_id, space_id, status, severity, recovery_at) values ($1, $2, 'warning', 1, $3)`,
        [idOf(number), space, now],
      );
    await postponeRecovery(database, deps(), idOf(1), error);
    expect(await rowsOf('select recovery_at as at from scope_state order by scope_id')).toEqual([
      { at: at(60 * minute) },
      { at: now },
    ]);
    expect(await rowsOf('select kind, subject_id, reason from trouble')).toMatchObject([
      { kind: 'scope', subject_id: idOf(1), reason: told },
    ]);
  });

  test.each(['waiting_trigger', 'runbook_record'] as const)('a row of %s is put off alone', async (table) => {
    for (const number of [1, 2])
      await (table === 'waiting_trigger' ? addTrigger(number, 10) : addRecord(number));
    await database.query(`update ${table} set due_at = $1`, [now]);
    const state = () => rowsOf(`select attempts, due_at as at from ${table} order by ${table}_id`);
    await postponeRow(database, deps(), table, idOf(1));
    await postponeRow(database, deps(), table, idOf(1));
    expect(await state()).toEqual([
      { attempts: 2, at: at(2 * minute) },
      { attempts: 0, at: now },
    ]);
  });
});
