// What a record holds, in which order records are written, and how long they and their anchors are kept.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addSpace } from '../../test/support/identity-server.ts';
import { createStoreWithTables, type TestStore } from '../../test/support/test-store.ts';
import { isoTime, ManualClock } from '../common/clock.ts';
import { createIdSource } from '../common/id.ts';
import type { LogLine } from '../common/log.ts';
import { deriveSecret } from '../common/secrets/server-secret.ts';
import type { Database } from '../db/database.ts';
import { StoreUnavailable } from '../db/store-unavailable.ts';
import type { Anchor, AnchorStore } from './anchor-store.ts';
import { type AuditEntry, createAuditLog } from './audit-log.ts';

const day = 86_400_000;
const secret = deriveSecret(randomBytes(32));
const entry: AuditEntry = {
  actor: { kind: 'person', userId: null, name: 'Hana' },
  from: { address: '192.0.2.1', userAgent: 'test' },
  action: 'edit',
  outcome: 'done',
  resource: 'scope',
};

let store: TestStore;
let database: Database;
let clock: ManualClock;
let spaceId: string;
let lines: LogLine[];
/** Anchors that were written, oldest first. */
let written: Anchor[];

beforeAll(async () => {
  store = (await createStoreWithTables('embedded'))!;
  database = await store.open();
}, 120_000);
afterAll(() => store?.remove());
beforeEach(async () => {
  clock = new ManualClock();
  spaceId = await addSpace(database, clock);
  lines = [];
  written = [];
});

const anchors: AnchorStore = {
  read: async (space) => (space === spaceId ? (written.at(-1) ?? null) : null),
  write: async (_space, anchor) => void written.push(anchor),
};
const logOf = (options: { keptDays?: number; of?: string; on?: Database } = {}) =>
  createAuditLog({
    database: options.on ?? database,
    clock,
    nextId: createIdSource(clock),
    log: (line) => lines.push(line),
    spaceId: options.of ?? spaceId,
    secret,
    retentionDays: options.keptDays ?? 0,
    anchors,
  });
const records = async (of = spaceId) =>
  (
    await database.query<Record<string, unknown>>(
      'select * from audit_record where space_id = $1 order by number',
      [of],
    )
  ).rows;

test('a record holds what is known, as plain text of limited length', async () => {
  const text = (length: number) => 'x'.repeat(length);
  const userId = '0190a0a0-8888-7000-8000-000000000001';
  const long: AuditEntry = {
    actor: { kind: 'api-token', userId, name: text(201), apiTokenId: userId },
    from: { address: text(101), userAgent: text(301) },
    ...{ action: 'create', outcome: 'failed', resource: 'rule', resourceId: 'id', detail: text(1001) },
    ...{ before: { at: new Date(0), left: undefined }, after: [1] },
  };
  await logOf().record(long);
  await logOf().record({ ...entry, detail: 'a\u0000b\u001fc\u007fd\n e', before: null });
  const [first, second] = await records();
  expect(first).toMatchObject({
    ...{
      number: '1',
      at: isoTime(clock.now()),
      actor_kind: 'api-token',
      actor_id: userId,
      api_token_id: userId,
    },
    ...{ actor_name: text(200), address: text(100), user_agent: text(300), detail: text(1000) },
    ...{ action: 'create', outcome: 'failed', resource: 'rule', resource_id: 'id' },
    ...{ before: { at: '1970-01-01T00:00:00.000Z' }, after: [1] },
  });
  expect(second).toMatchObject({
    ...{ number: '2', actor_id: null, api_token_id: null, resource_id: null, detail: 'a b c d  e' },
  });
  // Absent and not the JSON value null, whichever of the two is not known.
  const { rows } = await database.query(
    'select before is null and after is null as absent from audit_record where space_id = $1 order by number',
    [spaceId],
  );
  expect(rows).toEqual([{ absent: false }, { absent: true }]);
  expect(await logOf().verify()).toMatchObject({ intact: true, checked: 2 });
});

/** The database, whose next transactions fail as `outcomes` say: before their work or after their commit. */
function failingAs(outcomes: ('before' | 'after')[]): Database {
  return Object.create(database, {
    transaction: {
      async value(work: Parameters<Database['transaction']>[0]) {
        const outcome = outcomes.shift();
        if (outcome === 'before') throw new StoreUnavailable('away');
        const result = await database.transaction(work);
        if (outcome === 'after') throw new StoreUnavailable('lost while committing');
        return result;
      },
    },
  });
}
const details = async () => (await records()).map(({ detail }) => detail);

test.each([
  ['was not reached', ['before', 'before']],
  ['did not answer a commit', ['after']],
  ['was lost twice', ['after', 'before']],
] as const)(
  'what was added after a reply is written once, after the database %s',
  async (_name, outcomes) => {
    const audit = logOf({ on: failingAs([...outcomes]) });
    const at = isoTime(clock.now());
    for (const detail of ['first', 'second']) audit.enqueue({ ...entry, detail });
    for (const _outcome of outcomes) {
      await vi.waitFor(() => expect(clock.timerCount).toBe(1));
      clock.advance(1_000);
    }
    await audit.flush();
    expect(await records()).toMatchObject([
      { detail: 'first', at },
      { detail: 'second', at },
    ]);
    expect(lines).toMatchObject([{ level: 'warn', message: 'The audit log waits for the database' }]);
  },
);

test('a log that is closed tries the waiting records once more', async () => {
  const audit = logOf({ on: failingAs(['before', 'before']) });
  for (const detail of ['first', 'second']) audit.enqueue({ ...entry, detail });
  await vi.waitFor(() => expect(clock.timerCount).toBe(1));
  await audit.close();
  expect(await details()).toEqual(['second']);
  expect(lines.map(({ level, error }) => [level, error])).toEqual([
    ['warn', 'away'],
    ['error', 'away'],
  ]);
});

test('no more than a thousand records wait, and the next one is logged', async () => {
  const outcomes = Array.from({ length: 1_001 }, () => 'before' as const);
  const audit = logOf({ on: failingAs(outcomes) });
  for (let number = 1; number <= 1_001; number++) audit.enqueue({ ...entry, detail: String(number) });
  expect(lines).toMatchObject([{ level: 'error', error: '1000 records wait for the database' }]);
  await vi.waitFor(() => expect(clock.timerCount).toBe(1));
  await audit.close();
  expect(outcomes).toEqual([]);
  audit.enqueue({ ...entry, detail: 'later' });
  await audit.flush();
  expect(await details()).toEqual(['later']);
});

test('what was added after replies is written in order, and one that fails holds up no other', async () => {
  let fails = false;
  const failing: Database = Object.create(database, {
    transaction: {
      async value(work: Parameters<Database['transaction']>[0]) {
        if (fails) throw new Error('the database is away');
        return database.transaction(work);
      },
    },
  });
  const audit = logOf({ on: failing });
  for (const detail of ['first', 'second']) audit.enqueue({ ...entry, detail });
  await audit.flush();
  fails = true;
  audit.enqueue({ ...entry, detail: 'lost' });
  await audit.flush();
  fails = false;
  expect(lines).toMatchObject([
    { level: 'error', message: 'Not written to the audit log', error: 'the database is away' },
  ]);
  audit.enqueue({ ...entry, detail: 'third' });
  const flushed = audit.flush();
  audit.enqueue({ ...entry, detail: 'added while it waits' });
  await flushed;
  expect((await records()).map(({ detail }) => detail)).toEqual([
    ...['first', 'second', 'third', 'added while it waits'],
  ]);
});

test('a record of a transaction that is undone is not in the chain', async () => {
  const audit = logOf();
  await audit.record(entry);
  const undone = database.transaction(async (tx) => {
    await audit.write(tx, entry);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await audit.record(entry);
  expect(await audit.verify()).toMatchObject({ intact: true, checked: 2, lastNumber: 2 });
});

test('a record is kept until it is older than the retention, and those of another space do not count', async () => {
  const other = await addSpace(database, clock);
  const audit = logOf({ keptDays: 10 });
  expect([audit.retentionDays, logOf().retentionDays]).toEqual([10, null]);
  for (const log of [audit, logOf({ of: other })]) await log.record(entry);
  clock.advance(1);
  for (const log of [audit, logOf({ of: other })]) await log.record(entry);
  await audit.record(entry);
  clock.advance(10 * day - 1);
  await audit.applyRetention();
  expect(await records()).toHaveLength(3);
  clock.advance(1);
  await audit.applyRetention();
  expect((await records()).map(({ number }) => number)).toEqual(['2', '3']);
  expect(await records(other)).toHaveLength(2);
  for (const log of [audit, logOf({ of: other })]) expect(await log.verify()).toMatchObject({ intact: true });
  await logOf().applyRetention();
  expect(await records()).toHaveLength(2);
});

test('retention keeps records that are younger than one that waited for the database', async () => {
  const audit = logOf({ keptDays: 1 });
  await audit.record({ ...entry, detail: 'old' });
  const waiting = logOf({ on: failingAs(['before']) });
  waiting.enqueue({ ...entry, detail: 'waited' });
  await vi.waitFor(() => expect(clock.timerCount).toBe(1));
  clock.advance(999);
  await audit.record({ ...entry, detail: 'young' });
  clock.advance(1);
  await waiting.flush();
  expect(await details()).toEqual(['old', 'young', 'waited']);
  clock.advance(day - 500);
  await audit.applyRetention();
  expect(await details()).toEqual(['young', 'waited']);
  expect(await audit.verify()).toMatchObject({ intact: true, checked: 2 });
});

test('retention does nothing in a space without records', async () => {
  await logOf({ keptDays: 1 }).applyRetention();
  expect([written, lines]).toEqual([[], []]);
  expect(await logOf().verify()).toMatchObject({ intact: true, checked: 0 });
});

test('an anchor is written when there are new records, and told to the server log once an hour', async () => {
  const audit = logOf();
  await audit.writeAnchor();
  expect(written).toEqual([]);
  const heads = () => lines.filter(({ message }) => message === 'Audit log').map(({ head }) => head);
  const hash = async () => ((await records()).at(-1)!.hash as Buffer).toString('hex');
  await audit.record(entry);
  await audit.writeAnchor();
  await audit.writeAnchor();
  expect(written).toEqual([{ number: 1, hash: await hash() }]);
  const told = [`${spaceId}:1:${await hash()}`];
  expect(heads()).toEqual(told);
  clock.advance(3_599_999);
  await audit.record(entry);
  await audit.writeAnchor();
  expect(written.map(({ number }) => number)).toEqual([1, 2]);
  expect(heads()).toEqual(told);
  clock.advance(1);
  await audit.writeAnchor();
  expect(heads()).toEqual(told);
  await audit.record(entry);
  await audit.writeAnchor();
  expect(heads()).toEqual([...told, `${spaceId}:3:${await hash()}`]);
  expect(lines).toHaveLength(2);
});

test('an anchor stays valid while retention removes its record, but not with another hash', async () => {
  const other = await addSpace(database, clock);
  await logOf({ of: other }).record(entry);
  const audit = logOf({ keptDays: 1 });
  await audit.record(entry);
  await audit.writeAnchor();
  await audit.record(entry);
  clock.advance(day + 1);
  await audit.record(entry);
  await audit.applyRetention();
  expect(written.map(({ number }) => number)).toEqual([1, 3]);
  // Of another space, or of another chain of this one.
  for (const hash of [(await records(other))[0]!.hash as Buffer, Buffer.alloc(32)]) {
    written = [{ number: 3, hash: hash.toString('hex') }];
    lines = [];
    const again = logOf();
    await again.record(entry);
    for (let time = 0; time < 2; time++) await again.writeAnchor();
    expect(written).toHaveLength(1);
    expect(lines).toEqual([
      { level: 'error', message: 'The audit log lacks what its anchor knows of', spaceId },
    ]);
  }
  written = [{ number: 2, hash: 'of a record that retention removed' }];
  await logOf().writeAnchor();
  expect(written.map(({ number }) => number)).toEqual([2, 5]);
});
