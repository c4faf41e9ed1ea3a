// Due rows with large messages: a turn reads a bounded number of bytes, and the next one the rest.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDueRunbooks } from '../../../src/alerthub/pipeline/due-runbooks.ts';
import { loadDueTriggers } from '../../../src/alerthub/pipeline/due-triggers.ts';
import type { Database } from '../../../src/db/database.ts';
import { createStoreWithTables, storeKinds, type TestStore } from '../../support/test-store.ts';

const spaceId = '00000000-0000-7000-8000-000000000001';
const now = '2026-01-02T00:00:00.000Z';
const mega = 1024 * 1024;
const idOf = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;

describe.each(storeKinds)('on %s', (kind) => {
  let store: TestStore | null;
  let database: Database;

  beforeAll(async () => {
    store = await createStoreWithTables(kind);
    if (!store) return;
    database = await store.open();
    // Sizes alone: what counts is announced, not read.
    for (const [index, size] of [9 * mega, 9 * mega, 9 * mega, 100, 100].entries()) {
      await database.query(
        `insert into message (message_id, space_id, receive_slot_id, receive_slot_kind, place, received_at, request_url, headers, body, size, summary, fingerprint)
         values ($1, $2, $2, 'webhook', 'primary', $3, 'x', '{}', '\\x41', $4, '', '\\x00')`,
        [idOf(index), spaceId, now, size],
      );
      await database.query(
        `insert into event (event_id, space_id, scope_id, severity_name, delta, previous_severity, severity, status_before, status, source, message_id, triggers, created_at)
         values ($1, $2, $2, 'default', 1, 0, 1, 'normal', 'warning', 'rule', $1, '[]', $3)`,
        [idOf(index), spaceId, now],
      );
      await database.query(
        `insert into waiting_trigger (waiting_trigger_id, space_id, scope_id, trigger_id, event_id, message_id, cause, due_at, trigger_values)
         values ($1, $2, $2, $2, $1, $1, 'mute', $3, '{}')`,
        [idOf(index), spaceId, now],
      );
      await database.query(
        `insert into runbook_record (runbook_record_id, space_id, runbook_id, status, origin, source_message_id, depth, display_name, flow, context, requested_at, updated_at, due_at)
         values ($1, $2, $2, 'processing', 'receiveSlot', $1, 0, '', '{"startStepId":null,"steps":[]}', '{}', $3, $3, $3)`,
        [idOf(index), spaceId, now],
      );
    }
  });
  afterAll(() => store?.remove());

  /** Ids by turn; those of a turn are removed after it. */
  async function turns(
    table: string,
    load: () => Promise<{ ids: string[]; more: boolean }>,
  ): Promise<[number, boolean][]> {
    const found: [number, boolean][] = [];
    for (;;) {
      const { ids, more } = await load();
      if (ids.length === 0) return found;
      found.push([ids.length, more]);
      await database.query(`delete from ${table} where ${table}_id = any($1::uuid[])`, [ids]);
    }
  }

  test('triggers', async (context) => {
    if (!store) return context.skip();
    const load = async () => {
      const { releases, more } = await loadDueTriggers(database, now, 200);
      return { ids: releases.map(({ waitingTriggerId }) => waitingTriggerId), more };
    };
    expect(await turns('waiting_trigger', load)).toEqual([
      [2, true],
      [3, false],
    ]);
  });

  test('runbooks', async (context) => {
    if (!store) return context.skip();
    const load = async () => {
      const { runs, more } = await loadDueRunbooks(database, now, 100);
      return { ids: runs.map(({ runbookRecordId }) => runbookRecordId), more };
    };
    expect(await turns('runbook_record', load)).toEqual([
      [2, true],
      [3, false],
    ]);
  });
});
