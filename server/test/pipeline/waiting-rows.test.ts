// Which of the waiting rows a turn takes: those at the head of the queue, up to the limits of a batch.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { findFirstDueTrigger, loadDueTriggers } from '../../src/alerthub/pipeline/due-triggers.ts';
import { PendingBuffer } from '../../src/alerthub/pipeline/pending-buffer.ts';
import { PipelineTimers } from '../../src/alerthub/pipeline/pipeline-timers.ts';
import { type PendingRow, readPendingMessages } from '../../src/alerthub/pipeline/read-pending-messages.ts';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { ChangeBus } from '../../src/db/change-bus.ts';
import type { Database, Queryable } from '../../src/db/database.ts';
import { createStoreWithTables, storeKinds, type TestStore } from '../support/test-store.ts';

const mebibyte = 1024 * 1024;
/** Bytes from which on a batch of messages, or of due rows, takes no other. */
const [batchBytes, turnBytes] = [2 * mebibyte, 16 * mebibyte];
const now = '2026-01-01T00:00:00.000Z';
const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const numberOf = (id: string) => Number(id.slice(-12));
const [space, otherSpace] = [idOf(901), idOf(902)];

describe.each(storeKinds)('on %s', (kind) => {
  let store: TestStore | null;
  let database: Database;

  beforeAll(async () => {
    store = await createStoreWithTables(kind);
    if (store) database = await store.open();
  });
  beforeEach((context) => {
    if (!store) context.skip();
  });
  afterEach(() =>
    database?.query(
      'truncate message, message_pending, event, waiting_trigger, runbook_record, message_set_aside cascade',
    ),
  );
  afterAll(() => store?.remove());

  /** A message of the given announced size; its body is a single byte. */
  const addMessage = (number: number, { size = 1, spaceId = space } = {}) =>
    database.query(
      `insert into message (message_id, space_id, receive_slot_id, receive_slot_kind, place, received_at, request_url, headers, body, size, summary, fingerprint)
       values ($1, $2, $2, 'webhook', 'primary', $3, 'x', '{}', '\\x41', $4, '', '\\x00')`,
      [idOf(number), spaceId, now, size],
    );
  /** Queues messages in this order. */
  async function queue(...list: { number: number; size?: number; spaceId?: string }[]): Promise<void> {
    for (const { number, ...more } of list) {
      await addMessage(number, more);
      await database.query('insert into message_pending (message_id) values ($1)', [idOf(number)]);
    }
  }
  async function read(size: number, databaseKind: Database['kind'] = 'embedded') {
    const pending = new PendingBuffer<PendingRow>();
    const { rows, isAll } = await readPendingMessages(database, databaseKind, pending, size);
    return {
      taken: rows.map((row) => numberOf(row.message_id)),
      isAll,
      isComplete: pending.isComplete,
    };
  }

  test('messages are read in the order in which they were queued, as many as asked for', async () => {
    await queue({ number: 3 }, { number: 1 }, { number: 2 });
    expect(await read(4)).toEqual({ taken: [3, 1, 2], isAll: true, isComplete: true });
    // As many as asked for: others may be waiting.
    expect(await read(3)).toEqual({ taken: [3, 1, 2], isAll: false, isComplete: false });
    expect(await read(2)).toEqual({ taken: [3, 1], isAll: false, isComplete: false });
  });

  test('nothing waits in an empty queue, and an entry without its message is no message', async () => {
    expect(await read(4)).toEqual({ taken: [], isAll: true, isComplete: true });
    await database.query('insert into message_pending (message_id) values ($1)', [idOf(1)]);
    await queue({ number: 2 });
    expect(await read(4)).toMatchObject({ taken: [2] });
  });

  test.each([
    ['takes another while one byte is left', [batchBytes - 1, 1, 1], [0, 1]],
    ['takes no other once it is full', [batchBytes, 1], [0]],
    ['takes a message larger than a batch alone', [batchBytes + 1, 1], [0]],
    ['counts the messages before one, not the message itself', [1, batchBytes, 1], [0, 1]],
  ])('a batch %s', async (_what, sizes, taken) => {
    await queue(...sizes.map((size, number) => ({ number, size })));
    expect(await read(9)).toEqual({ taken, isAll: false, isComplete: false });
  });

  test('the buffer holds all that waits only on the embedded engine, and only messages of one space', async () => {
    await queue({ number: 1 }, { number: 2 });
    expect(await read(9, 'postgresql')).toEqual({ taken: [1, 2], isAll: true, isComplete: false });
    await queue({ number: 3, spaceId: otherSpace });
    expect(await read(9)).toEqual({ taken: [1, 2, 3], isAll: true, isComplete: false });
  });

  test('a complete buffer is not read from the database', async () => {
    const pending = new PendingBuffer<PendingRow>();
    pending.beginRead()();
    pending.add([1, 2].map((number) => ({ seq: String(number), weight: 1 }) as PendingRow));
    const none: Queryable = { query: () => Promise.reject(new Error('the database is not to be asked')) };
    const seqs = async (size: number) => {
      const { rows, isAll } = await readPendingMessages(none, 'embedded', pending, size);
      return [rows.map(({ seq }) => seq), isAll];
    };
    expect(await seqs(1)).toEqual([['1'], false]);
    expect(await seqs(2)).toEqual([['1', '2'], true]);
  });

  /** A trigger that waits on an event, with a message of the given size. */
  async function addTrigger(
    number: number,
    { delay = 0, spaceId = space, hasEvent = true, size = 1 } = {},
  ): Promise<void> {
    await addMessage(number, { size, spaceId });
    if (hasEvent)
      await database.query(
        `insert into event (event_id, space_id, scope_id, severity_name, delta, previous_severity, severity, status_before, status, source, message_id, triggers, created_at)
         values ($1, $2, $2, 'default', 1, 0, 1, 'normal', 'warning', 'rule', $1, '[]', $3)`,
        [idOf(number), spaceId, now],
      );
    await database.query(
      `insert into waiting_trigger (waiting_trigger_id, space_id, scope_id, trigger_id, event_id, message_id, cause, due_at, trigger_values)
       values ($1, $2, $2, $2, $1, $1, 'mute', $3, '{}')`,
      [idOf(number), spaceId, isoTime(Date.parse(now) + delay)],
    );
  }
  async function due(max = 200) {
    const { spaceId, releases, more } = await loadDueTriggers(database, now, max);
    return {
      ...{ spaceId, more },
      triggers: releases.map(({ waitingTriggerId }) => numberOf(waitingTriggerId)),
    };
  }
  const firstDue = () => findFirstDueTrigger(database, now);
  const waiting = async () =>
    (
      await database.query<{ id: string }>('select waiting_trigger_id as id from waiting_trigger order by 1')
    ).rows.map(({ id }) => numberOf(id));

  test('triggers are due exactly at their time, the earliest first', async () => {
    await addTrigger(1, { delay: 1 });
    expect([await due(), await firstDue()]).toEqual([
      { spaceId: undefined, triggers: [], more: false },
      undefined,
    ]);
    await addTrigger(4, { delay: -1 });
    await addTrigger(3);
    await addTrigger(2);
    expect(await due()).toEqual({ spaceId: space, triggers: [4, 2, 3], more: false });
    expect(await firstDue()).toBe(idOf(4));
    expect(await due(3)).toMatchObject({ triggers: [4, 2, 3], more: true });
    expect(await due(2)).toMatchObject({ triggers: [4, 2], more: true });
  });

  test('a turn takes due triggers of the space whose trigger is due first', async () => {
    await addTrigger(1, { spaceId: otherSpace });
    await addTrigger(2, { delay: -1 });
    await addTrigger(3);
    expect(await due()).toEqual({ spaceId: space, triggers: [2, 3], more: false });
    expect(await firstDue()).toBe(idOf(2));
    await addTrigger(4, { spaceId: otherSpace, delay: -2 });
    expect(await due()).toEqual({ spaceId: otherSpace, triggers: [4, 1], more: false });
    expect(await firstDue()).toBe(idOf(4));
  });

  test.each([
    ['another while one byte is left', [turnBytes - 1, 1, 1], [0, 1]],
    ['no other once it is full', [turnBytes, 1], [0]],
  ])('a turn takes %s', async (_what, sizes, triggers) => {
    for (const [number, size] of sizes.entries()) await addTrigger(number, { size });
    expect(await due()).toMatchObject({ triggers, more: true });
  });

  test('a trigger whose event is gone is not decided, and goes when nothing else is due', async () => {
    await addTrigger(1, { hasEvent: false, delay: -1 });
    await addTrigger(2, { hasEvent: false });
    await addTrigger(3);
    await addTrigger(4, { hasEvent: false, delay: 1 });
    await addTrigger(5, { delay: 1 });
    expect(await due()).toMatchObject({ triggers: [3] });
    expect(await firstDue()).toBe(idOf(3));
    expect(await waiting()).toEqual([1, 2, 3, 4, 5]);
    await database.query('delete from waiting_trigger where waiting_trigger_id = $1', [idOf(3)]);
    expect(await due()).toMatchObject({ spaceId: undefined, triggers: [] });
    expect(await waiting()).toEqual([4, 5]);
  });

  test('each timer of the pipeline wakes when its own rows are due, and none once they are closed', async () => {
    const clock = new ManualClock(Date.parse(now));
    const done: [string, number][] = [];
    const finish = async (table: string) => {
      done.push([table, clock.now() - Date.parse(now)]);
      await database.query(`delete from ${table} where due_at <= $1`, [isoTime(clock.now())]);
      return false;
    };
    const timers = new PipelineTimers(
      {
        ...{ database, clock, log: () => {} },
        changes: new ChangeBus({ database, clock, log: () => {}, instance: 'here' }),
      },
      {
        runDueTriggers: () => finish('waiting_trigger'),
        runDueRunbooks: () => finish('runbook_record'),
        requeuePostponed: () => finish('message_set_aside'),
      },
    );
    onTestFinished(() => timers.close());
    const at = (delay: number) => isoTime(Date.parse(now) + delay);
    for (const [number, delay] of [2000, 2500].entries()) {
      await addTrigger(10 + number, { delay });
      await database.query(
        `insert into runbook_record (runbook_record_id, space_id, runbook_id, status, origin, depth, display_name, flow, context, requested_at, updated_at, due_at)
         select id, $2, $2, 'processing', 'receiveSlot', 0, '', '{}', '{}', $3, $3, due
         from (values ($1::uuid, $4::timestamptz), ($5::uuid, null)) as given(id, due)`,
        [idOf(20 + number), space, now, at(delay + 1000), idOf(30 + number)],
      );
      await database.query(
        `insert into message_set_aside (message_id, space_id, attempts, due_at, reason)
         select id, $2, 1, due, '{}' from (values ($1::uuid, $3::timestamptz), ($4::uuid, null)) as given(id, due)`,
        [idOf(40 + number), space, at(delay + 2000), idOf(50 + number)],
      );
    }
    timers.start();
    await timers.idle();
    const advance = async (milliseconds: number) => {
      clock.advance(milliseconds);
      await timers.idle();
    };
    for (let time = 0; time < 4000; time += 500) await advance(500);
    expect(done).toEqual([
      ['waiting_trigger', 2000],
      ['waiting_trigger', 2500],
      ['runbook_record', 3000],
      ['runbook_record', 3500],
      ['message_set_aside', 4000],
    ]);
    timers.close();
    expect(clock.timerCount).toBe(0);
    await advance(600_000);
    expect(done).toHaveLength(5);
  });
});
