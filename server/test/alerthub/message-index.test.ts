// What the message index leaves to others while it extracts terms, and a message that is deleted meanwhile.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MessageIndex } from '../../src/alerthub/messages/message-index.ts';
import { ManualClock } from '../../src/common/clock.ts';
import type { Database, Statement } from '../../src/db/database.ts';
import { AlertClient } from '../support/alert-client.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const nameOf = (statement: Statement) => (typeof statement === 'string' ? '' : statement.name);

describe.runIf(storeKinds.includes('embedded'))('on the embedded engine', () => {
  let server: TestServer | null;
  let clock: ManualClock;
  let caller: AlertClient;

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine: 'embedded', clock });
    if (server) caller = new AlertClient(server, clock);
  });
  afterAll(() => server?.stop());

  const rowsOf = async (text: string, values: unknown[] = []) =>
    (await server!.services.database.query(text, values)).rows;

  /** A message that is evaluated, and must be indexed again. */
  async function unindexedMessage(): Promise<string> {
    const line = await caller.createAlertPath();
    const messageId = await line.send(1, { note: 'unindexed' });
    await server!.services.messageIndex.idle();
    await rowsOf('delete from message_search where message_id = $1', [messageId]);
    await rowsOf('insert into message_unindexed (message_ids) values (array[$1::uuid])', [messageId]);
    return messageId;
  }

  /** Indexes what waits; `before` is called before each statement that is not part of a transaction. */
  async function runIndex(before: (name: string | undefined) => Promise<unknown>): Promise<void> {
    const { services } = server!;
    const database: Database = {
      ...services.database,
      async query(statement, values) {
        await before(nameOf(statement));
        return services.database.query(statement, values);
      },
    };
    const index = new MessageIndex({ ...services, database, waitingMessages: () => 0 });
    index.wake();
    await index.idle();
    await index.close();
  }

  test('others use the session between its statements', async () => {
    const messageId = await unindexedMessage();
    const answers: unknown[] = [];
    await runIndex(async (name) => {
      if (name === 'store-terms') answers.push(await rowsOf('select 1 as one'));
    });
    expect(answers).toEqual([[{ one: 1 }]]);
    expect(await rowsOf('select 1 as one from message_search where message_id = $1', [messageId])).toEqual([
      { one: 1 },
    ]);
  });

  test('nothing remains of a message deleted meanwhile', async () => {
    const messageId = await unindexedMessage();
    await runIndex(async (name) => {
      if (name === 'store-terms') await rowsOf('delete from message where message_id = $1', [messageId]);
    });
    expect(await rowsOf('select 1 from message_search where message_id = $1', [messageId])).toEqual([]);
    expect(await rowsOf('select 1 from message_unindexed')).toEqual([]);
  });

  test('messages evaluated together are indexed in several transactions', async () => {
    const line = await caller.createAlertPath();
    const ids: string[] = [];
    for (let count = 0; count < 70; count += 1) ids.push(await line.send(1, { note: `number${count}` }));
    await server!.services.messageIndex.idle();
    await rowsOf('delete from message_search');
    // One row more than there is space for, then some rows of their own.
    await rowsOf('insert into message_unindexed (message_ids) values ($1::uuid[])', [ids.slice(0, 60)]);
    for (const id of ids.slice(60))
      await rowsOf('insert into message_unindexed (message_ids) values (array[$1::uuid])', [id]);
    const queued = () => rowsOf('select message_ids::text[] as ids from message_unindexed order by seq');
    const left: unknown[] = [];
    await runIndex(async (name) => {
      if (name?.startsWith('take-')) left.push((await queued()).flatMap((row) => row.ids));
    });
    expect(left).toEqual([ids, ids.slice(50), []]);
    const found = await rowsOf('select message_id from message_search order by message_id');
    expect(found.map((row) => row.message_id)).toEqual(ids.toSorted());
  });

  test('closing ends the rest after a transaction', async () => {
    await unindexedMessage();
    const index = await new Promise<MessageIndex>((resolve) => {
      const restClock = {
        // Rests until it is interrupted.
        after: () => {
          resolve(resting);
          return () => undefined;
        },
      };
      const resting = new MessageIndex({ ...server!.services, waitingMessages: () => 0, restClock });
      resting.wake();
    });
    await index.close();
    expect(await rowsOf('select 1 from message_unindexed')).toEqual([]);
  });

  test('its commit does not wait for the disk, and those of others do', async () => {
    await unindexedMessage();
    await rowsOf('checkpoint');
    await runIndex(async () => undefined);
    const logOnDisk = () =>
      rowsOf('select pg_current_wal_flush_lsn() = pg_current_wal_insert_lsn() as whole');
    expect(await logOnDisk()).toEqual([{ whole: false }]);
    expect(await rowsOf('show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
    await rowsOf('delete from message_unindexed');
    await rowsOf("update message set summary = 'later'");
    expect(await logOnDisk()).toEqual([{ whole: true }]);
  });
});
