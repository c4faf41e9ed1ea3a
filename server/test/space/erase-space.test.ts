// A cancelled space is erased in small transactions: an interrupted erasure continues, and from its beginning nothing of
// the space is served or done.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import type { Database, Transaction } from '../../src/db/database.ts';
import { beginErasure, eraseMarkedSpace, listUnerasedSpaces, tablesOf } from '../../src/space/erase-space.ts';
import { createApiCall } from '../support/api-request.ts';
import { post } from '../support/post.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';

const [cancelled, neighbor] = [
  '018f0000-0000-7000-8000-000000000001',
  '018f0000-0000-7000-8000-000000000002',
];
const now = '2026-01-15T00:00:00.000Z';
const soon = { timeout: 20_000, interval: 50 };

/** Rows of a space: more messages than a batch deletes, in the same blocks as those of the other space. */
async function insertRows(database: Database, spaceIds: readonly string[], count: number): Promise<void> {
  await database.query(
    `insert into message (message_id, space_id, receive_slot_id, receive_slot_kind, place, received_at, request_url,
       headers, body, size, summary, fingerprint)
     select gen_random_uuid(), s.id, s.id, 'webhook', 'primary', $2, '', '{}', '', 0, '', ''
     from generate_series(1, $3::int), unnest($1::uuid[]) as s(id)`,
    [spaceIds, now, count],
  );
  await database.query(
    `insert into resource (space_id, kind, id, body, created_at, updated_at)
     select s.id, k.kind, gen_random_uuid(), '{}', $2, $2
     from unnest($1::uuid[]) as s(id), unnest(array['receive-slot', 'trigger']) as k(kind)`,
    [spaceIds, now],
  );
  await database.query(
    `insert into job (queue, run_at, space_id, payload) select 'notice-mail', $2, s.id, '{}' from unnest($1::uuid[]) as s(id)`,
    [spaceIds, now],
  );
}

async function countOf(database: Database, table: string, spaceId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from ${table} where space_id = $1`,
    [spaceId],
  );
  return rows[0]!.count;
}

/** The database; `inspect` gets the number of rows that a batch has deleted. */
function inspected(database: Database, inspect: (deleted: number) => Promise<void> | void): Database {
  return Object.create(database, {
    transaction: {
      async value(work: (tx: Transaction) => Promise<number>) {
        const deleted = await database.transaction(work);
        await inspect(deleted);
        return deleted;
      },
    },
  });
}

describe.each(storeKinds)('rows on %s', (kind) => {
  let store: TestStore | null;
  let database: Database;
  beforeAll(async () => {
    store = await createStoreWithTables(kind);
    if (!store) return;
    database = await store.open();
  }, 120_000);
  afterAll(() => store?.remove());
  afterEach(async () => {
    if (!store) return;
    for (const table of await tablesOf(database)) await database.query(`delete from ${table}`);
  });

  async function cancel(endsAt: string): Promise<void> {
    await database.query(
      `insert into space (space_id, display_name, host, created_at, updated_at, cancel_ends_at)
       values ($1, 'Cancelled', 'c.example', $3, $3, $4), ($2, 'Neighbor', 'n.example', $3, $3, null)`,
      [cancelled, neighbor, now, endsAt],
    );
  }

  test('nothing happens before the end, to a space that is not cancelled, or without a beginning', async (context) => {
    if (!store) return context.skip();
    await cancel('2026-01-15T00:00:00.001Z');
    await insertRows(database, [cancelled, neighbor], 1);
    expect(await beginErasure(database, cancelled, now)).toBe(false);
    expect(await beginErasure(database, neighbor, now)).toBe(false);
    expect(await listUnerasedSpaces(database)).toEqual([]);
    expect(await countOf(database, 'resource', cancelled)).toBe(2);
  });

  test('is marked once, without receive slots, and its host name is free', async (context) => {
    if (!store) return context.skip();
    await cancel(now);
    await insertRows(database, [cancelled, neighbor], 1);
    expect(await beginErasure(database, cancelled, now)).toBe(true);
    expect(await beginErasure(database, cancelled, now)).toBe(true);
    expect(await listUnerasedSpaces(database)).toEqual([cancelled]);
    const { rows } = await database.query("select space_id from resource where kind = 'receive-slot'");
    expect(rows).toEqual([{ space_id: neighbor }]);
    const again = `insert into space (space_id, display_name, host, created_at, updated_at)
      values (gen_random_uuid(), 'New', $1, $2, $2)`;
    await database.query(again, ['c.example', now]);
    await expect(database.query(again, ['n.example', now])).rejects.toThrow('space_host');
  });

  test('an erasure that is killed again and again continues, and the neighbor keeps everything', async (context) => {
    if (!store) return context.skip();
    await cancel(now);
    await insertRows(database, [cancelled, neighbor], 450);
    await beginErasure(database, cancelled, now);
    const deleted: number[] = [];
    const left: number[] = [];
    let runs = 0;
    for (let isErased = false; !isErased; runs++) {
      let batches = 0;
      const killed = inspected(database, (count) => {
        deleted.push(count);
        batches += 1;
        if (batches === 2 + 3 * runs) throw new Error('killed');
      });
      isErased = await eraseMarkedSpace(killed, cancelled, () => false).catch((error: Error) => {
        expect(error.message).toBe('killed');
        return false;
      });
      left.push(await countOf(database, 'message', cancelled));
    }
    expect(runs).toBeGreaterThan(2);
    expect(left[0]).toBe(450);
    expect(left.at(-1)).toBe(0);
    expect(Math.max(...deleted)).toBe(100);
    for (const table of await tablesOf(database))
      expect(await countOf(database, table, cancelled), table).toBe(0);
    expect(await countOf(database, 'message', neighbor)).toBe(450);
    expect(await countOf(database, 'resource', neighbor)).toBe(2);
    expect(await countOf(database, 'job', neighbor)).toBe(1);
    expect(await countOf(database, 'space', neighbor)).toBe(1);
    expect(await beginErasure(database, cancelled, now)).toBe(true);
  });

  test('what acts in its name goes first; stopped between two batches, it leaves the rest', async (context) => {
    if (!store) return context.skip();
    await cancel(now);
    await insertRows(database, [cancelled, neighbor], 450);
    await beginErasure(database, cancelled, now);
    let isFull = false;
    const watched = inspected(database, (count) => {
      isFull = count === 100;
    });
    expect(await eraseMarkedSpace(watched, cancelled, () => isFull)).toBe(false);
    expect(await countOf(database, 'message', cancelled)).toBe(350);
    expect(await countOf(database, 'resource', cancelled)).toBe(0);
    expect(await countOf(database, 'job', cancelled)).toBe(0);
    expect(await countOf(database, 'space', cancelled)).toBe(1);
  });

  test('rows that are stored meanwhile are deleted, too', async (context) => {
    if (!store) return context.skip();
    await cancel(now);
    await insertRows(database, [cancelled, neighbor], 150);
    await beginErasure(database, cancelled, now);
    let isLate = false;
    const interrupted = inspected(database, async (count) => {
      if (isLate || count !== 50) return;
      isLate = true;
      await insertRows(database, [cancelled], 3);
    });
    expect(await eraseMarkedSpace(interrupted, cancelled, () => false)).toBe(true);
    expect(isLate).toBe(true);
    for (const table of await tablesOf(database))
      expect(await countOf(database, table, cancelled), table).toBe(0);
  });
});

describe.each(storeKinds)('the server on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  beforeAll(async () => {
    clock = new ManualClock(Date.now());
    server = await startTestServer({ engine, clock });
  }, 120_000);
  afterAll(() => server?.stop());

  test('serves and receives nothing of a space whose erasure has begun, and erases it after a restart', async (context) => {
    if (!server) return context.skip();
    const { database, spaceId } = server.services;
    const call = createApiCall(await server.signedIn('privileged'));
    const slot = await call('POST', '/api/apps/alerthub/receive-slots', { displayName: 'Slot' });
    const { primary } = slot.data as { primary: string };
    expect((await post(primary, '{}')).status).toBe(202);
    await server.settled();
    await database.query('update space set cancel_ends_at = $2 where space_id = $1', [
      spaceId,
      new Date(clock.now()).toISOString(),
    ]);
    // Nothing of the messages can be deleted for now.
    await database.query(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'not now'; end $$`);
    await database.query(
      'create trigger refuse before delete on message for each row execute function refuse()',
    );
    const replica = engine === 'postgresql' ? await server.startReplica() : undefined;
    await server.spaceErasure.check();
    expect(await listUnerasedSpaces(database)).toEqual([spaceId]);
    if (replica) await vi.waitFor(() => expect(replica.spaceErasure.hasBegun()).toBe(true), soon);
    expect((await call('GET', '/api/space')).status).toBe(404);
    expect((await fetch(`${server.origin}/oidc/auth`)).status).toBe(404);
    await vi.waitFor(async () => expect((await post(primary, '{}')).status).toBe(404), soon);
    await database.query('delete from oidc_key');
    await server.services.identity.cleanup();
    expect(await countOf(database, 'oidc_key', spaceId)).toBe(0);
    expect(await countOf(database, 'message', spaceId)).toBe(1);
    const { logLines } = server;
    const message = 'A space could not be erased; tried again';
    await vi.waitFor(
      () => expect(logLines).toContainEqual(expect.objectContaining({ message, spaceId })),
      soon,
    );
    await database.query('drop trigger refuse on message');
    await replica?.close();
    await server.restart();
    const next = server.services;
    expect(next.spaceId).not.toBe(spaceId);
    await vi.waitFor(async () => expect(await listUnerasedSpaces(next.database)).toEqual([]), soon);
    expect(await countOf(next.database, 'message', spaceId)).toBe(0);
    expect(await countOf(next.database, 'person', next.spaceId)).toBe(1);
    expect((await fetch(`${server.origin}/api/internal/identity/client-info`)).status).not.toBe(404);
  });
});
