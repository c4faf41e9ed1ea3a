// Several processes, and statements whose connection was lost, store each message of a journal once.
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Intake } from '../../src/alerthub/intake/intake.ts';
import { claimJournal, JournalEnded, readJournalMark } from '../../src/alerthub/intake/intake-journal.ts';
import { ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { LogLine } from '../../src/common/log.ts';
import type { Database } from '../../src/db/database.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';
import { createDataFolder } from '../support/data-folder.ts';
import { createStoreWithTables, storeKinds, type TestStore } from '../support/test-store.ts';

const spaceId = '00000000-0000-7000-8000-000000000001';
const receiveSlotId = '00000000-0000-7000-8000-00000000000a';

describe.each(storeKinds)('on %s', (engine) => {
  const place = createDataFolder();
  const copy = `${place.folder}-copy`;
  let store: TestStore | null;
  let database: Database;
  let clock: ManualClock;
  let nextId: () => string;
  let lines: LogLine[];
  let ended: string[];
  const running: Intake[] = [];

  beforeAll(async () => {
    store = await createStoreWithTables(engine);
    if (store) database = await store.open();
  });
  afterAll(async () => {
    await store?.remove();
    place.remove();
  });
  beforeEach(async (context) => {
    if (!store) return context.skip();
    await database.query('truncate message, message_pending, message_repeat, intake_journal');
    for (const folder of [place.folder, copy]) rmSync(folder, { recursive: true, force: true });
    clock = new ManualClock();
    nextId = createIdSource(clock);
    lines = [];
    ended = [];
  });
  afterEach(async () => {
    for (const intake of running.splice(0)) await intake.close();
  });

  async function start(folder: string, used: Partial<Database> = {}): Promise<Intake> {
    const intake = new Intake({
      database: { ...database, ...used },
      ...{ clock, nextId, log: (line: LogLine) => lines.push(line) },
      changes: { publish: () => undefined } as never,
      onStored: () => undefined,
      onJournalEnded: (message) => ended.push(message),
      journalFolder: folder,
    });
    running.push(intake);
    await intake.start();
    return intake;
  }

  const receive = (intake: Intake, text: string, deliveryKey?: string) =>
    intake.receive({
      address: { spaceId, receiveSlotId, kind: 'webhook', endpoint: 'primary', disabled: false },
      requestUrl: 'http://localhost/receive/webhook/x',
      headers: {},
      body: Buffer.from(text),
      deliveryKey,
    });

  async function storedTexts(): Promise<string[]> {
    const { rows } = await database.query<{ body: Buffer }>(
      'select m.body from message m join message_pending p using (message_id) order by p.seq',
    );
    return rows.map(({ body }) => body.toString());
  }

  const refusedFiles = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.refused'));
  const errors = () => lines.filter(({ level }) => level === 'error');
  const away: Partial<Database> = {
    query: (statement, values) =>
      typeof statement !== 'string' && statement.name === 'message-intake'
        ? Promise.reject(new StoreUnavailable('the store is away'))
        : database.query(statement, values),
  };

  test('after a copy of the folder was started, the first server stores nothing more and ends', async () => {
    const first = await start(place.folder);
    await receive(first, 'one');
    await first.drained();
    cpSync(place.folder, copy, { recursive: true });
    const second = await start(copy);
    await receive(first, 'two');
    await expect.poll(() => ended).toEqual([expect.stringContaining('taken over the intake journal')]);
    await receive(second, 'three');
    await second.drained();
    expect(await storedTexts()).toEqual(['one', 'three']);
    // What the first server acknowledged in the meantime is stored when it is started again.
    await start(place.folder);
    expect(await storedTexts()).toEqual(['one', 'three', 'two']);
    expect(ended).toHaveLength(1);
    await receive(second, 'four');
    await second.drained();
    expect(await storedTexts()).toEqual(['one', 'three', 'two', 'four']);
    expect([...refusedFiles(place.folder), ...refusedFiles(copy), ...errors()]).toEqual([]);
  });

  test('messages that wait in a folder and in its copy are stored once', async () => {
    const first = await start(place.folder, away);
    for (const text of ['one', 'two']) await receive(first, text, `key of ${text}`);
    await receive(first, 'three');
    cpSync(place.folder, copy, { recursive: true });
    clock.advance(5_000);
    await start(copy);
    expect(await storedTexts()).toEqual(['one', 'two', 'three']);
    await running.shift()!.close();
    await start(place.folder);
    expect(await storedTexts()).toEqual(['one', 'two', 'three']);
    expect([...refusedFiles(place.folder), ...refusedFiles(copy), ...errors()]).toEqual([]);
    const { rows } = await database.query('select * from message_repeat');
    expect(rows).toEqual([]);
  });

  test.each([
    ['the database does not know the journal', async () => database.query('delete from intake_journal')],
    [
      'the id of the journal is damaged',
      async () => {
        for (const name of readdirSync(place.folder).filter((one) => one.endsWith('.id')))
          writeFileSync(join(place.folder, name), '\0'.repeat(37));
      },
    ],
  ])('what is stored is not stored again when %s', async (_reason, damage) => {
    const first = await start(place.folder);
    await receive(first, 'one', 'key');
    await receive(first, 'two');
    await first.drained();
    cpSync(place.folder, copy, { recursive: true });
    await first.close();
    rmSync(place.folder, { recursive: true });
    cpSync(copy, place.folder, { recursive: true });
    await damage();
    const second = await start(place.folder);
    await receive(second, 'three');
    await second.drained();
    expect(await storedTexts()).toEqual(['one', 'two', 'three']);
    expect([...refusedFiles(place.folder), ...errors()]).toEqual([]);
  });

  test('the database ends a journal for its previous server only', async () => {
    const other = { id: '00000000-0000-4000-8000-000000000001', previousId: null };
    const own = { id: '00000000-0000-4000-8000-000000000002', previousId: null };
    const next = { id: '00000000-0000-4000-8000-000000000003', previousId: own.id };
    await claimJournal(database, other, clock);
    await claimJournal(database, own, clock);
    expect(await claimJournal(database, next, clock)).toBe(0);
    await expect(readJournalMark(database, own.id)).rejects.toThrow(JournalEnded);
    expect(await readJournalMark(database, other.id)).toBe(0);
    expect(await readJournalMark(database, next.id)).toBe(0);
  });

  test('positions of journals that ended long ago are removed, others are kept', async () => {
    const ids = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
    await claimJournal(database, { id: ids[0]!, previousId: null }, clock);
    await claimJournal(database, { id: ids[1]!, previousId: ids[0]! }, clock);
    clock.advance(401 * 86_400_000);
    await claimJournal(database, { id: ids[2]!, previousId: ids[1]! }, clock);
    const { rows } = await database.query('select journal_id from intake_journal order by journal_id');
    expect(rows).toEqual([{ journal_id: ids[1] }, { journal_id: ids[2] }]);
  });
});

function withResolvers() {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((onDone, onFailed) => {
    resolve = onDone;
    reject = onFailed;
  });
  return { promise, resolve, reject };
}

test('a statement that PostgreSQL completes after its connection was lost is not repeated', async (context) => {
  const store = await createStoreWithTables('postgresql');
  if (!store) return context.skip();
  const { folder, remove } = createDataFolder();
  const clock = new ManualClock();
  const lines: LogLine[] = [];
  const database = await store.open();
  const commit = withResolvers();
  const committed = withResolvers();
  let attempts = 0;
  const lossy: Database = {
    ...database,
    async query(statement, values) {
      if (typeof statement === 'string' || statement.name !== 'message-intake')
        return database.query(statement, values);
      attempts++;
      if (attempts > 1) return database.query(statement, values);
      await new Promise<void>((resolve) => {
        database
          .transaction(async (tx) => {
            await tx.query(statement, values);
            resolve();
            await commit.promise;
          })
          .then(committed.resolve, committed.reject);
      });
      throw new StoreUnavailable('the connection broke');
    },
  };
  const intake = new Intake({
    ...{ database: lossy, clock, nextId: createIdSource(clock), log: (line: LogLine) => lines.push(line) },
    changes: { publish: () => undefined } as never,
    onStored: () => undefined,
    journalFolder: folder,
  });
  try {
    await intake.start();
    await intake.receive({
      address: { spaceId, receiveSlotId, kind: 'webhook', endpoint: 'primary', disabled: false },
      requestUrl: 'http://localhost/receive/webhook/x',
      ...{ headers: {}, body: Buffer.from('one'), deliveryKey: undefined },
    });
    await expect.poll(() => lines.length).toBe(1);
    clock.advance(1000);
    // The second offer waits for the first one, which holds the position of the journal.
    await expect
      .poll(async () => {
        const { rows } = await database.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return [attempts, rows[0]!.n];
      })
      .toEqual([2, 1]);
    commit.resolve();
    await committed.promise;
    await intake.drained();
    const { rows } = await database.query<{ body: Buffer }>('select body from message');
    expect(rows.map(({ body }) => body.toString())).toEqual(['one']);
    expect(readdirSync(folder).filter((name) => name.endsWith('.refused'))).toEqual([]);
    expect(lines.map(({ level }) => level)).toEqual(['warn']);
  } finally {
    commit.resolve();
    await intake.close();
    await store.remove();
    remove();
  }
});
