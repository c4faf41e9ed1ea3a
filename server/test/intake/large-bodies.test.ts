// Large bodies in the embedded engine: stored in parts, so that no statement keeps the others waiting for long.
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Arrival } from '../../src/alerthub/arrivals/arrival.ts';
import { Intake } from '../../src/alerthub/intake/intake.ts';
import { readMessageBytes } from '../../src/alerthub/messages/message-bytes.ts';
import { type MessageRow, messageColumns } from '../../src/alerthub/messages/message-row.ts';
import { removeExpired } from '../../src/alerthub/retention/expired-rows.ts';
import { ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { Database, Statement } from '../../src/db/database.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';
import { createDataFolder } from '../support/data-folder.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';

const spaceId = '00000000-0000-7000-8000-000000000001';
const receiveSlotId = '00000000-0000-7000-8000-00000000000a';
const mega = 1024 * 1024;
const place = createDataFolder();

let store: TestStore;
let real: Database;
let clock: ManualClock;
let intake: Intake;
/** Bytes of the parameters of each statement. */
let sizes: number[];
/** Called before each statement. */
let before: (name: string | undefined) => void;

const database: Database = {
  get kind() {
    return real.kind;
  },
  transaction: (work) => real.transaction(work),
  notify: (...given) => real.notify(...given),
  listen: (...given) => real.listen(...given),
  close: () => real.close(),
  async query<Row>(statement: Statement, values?: unknown[]) {
    before(typeof statement === 'string' ? undefined : statement.name);
    sizes.push((values ?? []).reduce<number>((sum, one) => sum + (Buffer.isBuffer(one) ? one.length : 0), 0));
    return real.query<Row>(statement, values);
  },
};

beforeAll(async () => {
  store = (await createStoreWithTables('embedded'))!;
  real = await store.open();
});
afterAll(async () => {
  await store.remove();
  place.remove();
});
beforeEach(async () => {
  await real.query(
    'truncate message, message_pending, message_repeat, message_body_part, decision, intake_journal',
  );
  rmSync(place.folder, { recursive: true, force: true });
  clock = new ManualClock();
  sizes = [];
  before = () => undefined;
  intake = new Intake({
    ...{ database, clock, nextId: createIdSource(clock), log: () => undefined },
    changes: { publish: () => undefined } as never,
    onStored: () => undefined,
    journalFolder: place.folder,
  });
  await intake.start();
});
afterEach(() => intake.close());

const arrival = (body: Buffer, deliveryKey?: string): Arrival => ({
  address: { spaceId, receiveSlotId, kind: 'webhook', endpoint: 'primary', disabled: false },
  requestUrl: 'http://localhost/receive/webhook/x',
  headers: {},
  body,
  deliveryKey,
});

/** No two parts of it are equal. */
function bodyOf(bytes: number): Buffer {
  const body = Buffer.alloc(bytes, 'x');
  for (let at = 0; at + 8 <= bytes; at += 1000) body.write(String(at).padStart(8, '0'), at);
  return body;
}

async function readBodies(): Promise<Buffer[]> {
  const { rows } = await real.query<MessageRow>(
    `select ${messageColumns} from message m order by m.message_id`,
  );
  return rows.map(({ body }) => body);
}

async function parts(): Promise<number> {
  const { rows } = await real.query<{ parts: number }>(
    'select count(*)::int as parts from message_body_part',
  );
  return rows[0]!.parts;
}

test('a body of 9 MB is stored by statements of at most half a megabyte, and read whole and by chunks', async () => {
  const large = bodyOf(9 * mega + 17);
  const whole = bodyOf(mega / 2);
  const id = await intake.receive(arrival(large));
  await intake.receive(arrival(whole));
  await intake.drained();
  expect(Math.max(...sizes)).toBeLessThan(0.6 * mega);
  expect(await parts()).toBe(18);
  const bodies = await readBodies();
  expect(bodies.map((body) => body.length)).toEqual([large.length, whole.length]);
  expect(bodies[0]!.equals(large)).toBe(true);
  expect(bodies[1]!.equals(whole)).toBe(true);
  expect((await readMessageBytes(real, spaceId, id, large.length)).equals(large)).toBe(true);
  const { rows } = await real.query('select size from message where message_id = $1', [id]);
  expect(rows).toEqual([{ size: large.length }]);
});

test('after a failure between two parts the message is stored whole, and once', async () => {
  const large = bodyOf(3 * mega);
  let stored = 0;
  before = (name) => {
    if (name !== 'store-body-part') return;
    stored += 1;
    if (stored === 3) throw new StoreUnavailable('the store is away');
  };
  await intake.receive(arrival(large));
  await expect.poll(() => stored).toBe(3);
  await expect
    .poll(() => {
      clock.advance(1000);
      return stored;
    })
    .toBeGreaterThan(3);
  await intake.drained();
  const bodies = await readBodies();
  expect(bodies).toHaveLength(1);
  expect(bodies[0]!.equals(large)).toBe(true);
  expect(await parts()).toBe(5);
});

test('no parts are left of a message that the database knows already', async () => {
  const large = bodyOf(2 * mega);
  await intake.receive(arrival(large, 'key'));
  await intake.drained();
  expect(await parts()).toBe(3);
  // Another server stored one with the same key since this one looked.
  await real.query('update message set message_id = gen_random_uuid()');
  await real.query('truncate message_body_part');
  const other = new Intake({
    ...{ database, clock, nextId: createIdSource(clock), log: () => undefined },
    changes: { publish: () => undefined } as never,
    onStored: () => undefined,
    journalFolder: `${place.folder}-other`,
  });
  const { rows } = await real.query('select message_id, fingerprint from message');
  await real.query('update message set fingerprint = $1', [Buffer.alloc(16)]);
  await other.start();
  await real.query('update message set fingerprint = $1', [(rows[0] as { fingerprint: Buffer }).fingerprint]);
  await other.receive(arrival(large, 'key'));
  await other.close();
  rmSync(`${place.folder}-other`, { recursive: true, force: true });
  expect(await readBodies()).toHaveLength(1);
  expect(await parts()).toBe(0);
});

test('retention removes the parts with their message, and few large messages at a time', async () => {
  for (const bytes of [9 * mega, 2 * mega, 100, 200]) await intake.receive(arrival(bodyOf(bytes)));
  await intake.drained();
  await real.query(
    `insert into decision (message_id, space_id, evaluated_at, matched, total, rules, notes)
     select message_id, space_id, now(), 0, 0, '[]', '[]' from message`,
  );
  const until = new Date(clock.now() + 1000).toISOString();
  const removed: number[] = [];
  do {
    removed.push(
      await real.transaction((tx) =>
        removeExpired(tx, 'messages', { spaceId, until, limit: 10, excludedIds: [] }),
      ),
    );
  } while (removed.at(-1)! > 0);
  expect(removed).toEqual([1, 3, 0]);
  expect(await parts()).toBe(0);
});
