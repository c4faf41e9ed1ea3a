// Messages acknowledged before they are in the database survive failures, restarts and crashes, in order and
// exactly once.
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import type { Arrival } from '../../src/alerthub/arrivals/arrival.ts';
import { Intake } from '../../src/alerthub/intake/intake.ts';
import type { StoredMessage } from '../../src/alerthub/intake/store-arrivals.ts';
import { WritePace } from '../../src/alerthub/intake/write-pace.ts';
import { ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { LogLine } from '../../src/common/log.ts';
import type { Database } from '../../src/db/database.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';
import { createDataFolder } from '../support/data-folder.ts';
import { createStoreWithTables, storeKinds, type TestStore } from '../support/test-store.ts';

const spaceId = '00000000-0000-7000-8000-000000000001';
const slots = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'] as const;

describe.each(storeKinds)('on %s', (engine) => {
  const place = createDataFolder();
  let store: TestStore | null;
  let real: Database;
  beforeAll(async () => {
    store = await createStoreWithTables(engine);
    if (store) real = await store.open();
  });
  afterAll(async () => {
    await store?.remove();
    place.remove();
  });

  /** Outcome of the next database writes; they succeed when empty. */
  type Fate = 'fail' | 'lose the answer' | Promise<void>;
  let fates: Fate[];
  /** Whether no statement reaches the database, those that read the position included. */
  let isAway: boolean;
  let clock: ManualClock;
  let lines: LogLine[];
  let told: (readonly StoredMessage[] | undefined)[];
  const running: Intake[] = [];

  const database: Database = {
    get kind() {
      return real.kind;
    },
    transaction: (work) => real.transaction(work),
    notify: (...args) => real.notify(...args),
    listen: (...args) => real.listen(...args),
    close: () => real.close(),
    async query(statement, values) {
      if (isAway) throw new StoreUnavailable('the store is away');
      const isWrite = typeof statement !== 'string' && statement.name === 'message-intake';
      const fate = isWrite ? fates.shift() : undefined;
      if (fate === 'fail') throw new StoreUnavailable('the store is away');
      await fate;
      const result = await real.query(statement, values);
      if (fate === 'lose the answer') throw new StoreUnavailable('the connection broke');
      return result as never;
    },
  };

  beforeEach(async (context) => {
    if (!store) return context.skip();
    await real.query('truncate message, message_pending, message_repeat, message_body_part');
    rmSync(place.folder, { recursive: true, force: true });
    fates = [];
    isAway = false;
    clock = new ManualClock();
    lines = [];
    told = [];
  });
  afterEach(async () => {
    for (const intake of running.splice(0)) await intake.close();
  });

  async function start(
    folder = place.folder,
    journalLimits?: { waiting: number; reserve: number },
  ): Promise<Intake> {
    const intake = new Intake({
      database,
      clock,
      nextId: createIdSource(clock),
      log: (line) => lines.push(line),
      changes: { publish: () => undefined } as never,
      onStored: (messages) => told.push(messages),
      journalFolder: folder,
      ...(journalLimits ? { journalLimits } : {}),
    });
    running.push(intake);
    await intake.start();
    return intake;
  }

  const arrival = (
    text: string,
    more: Partial<Arrival> & { slot?: 0 | 1; at?: 'primary' | 'secondary' } = {},
  ): Arrival => {
    const { slot = 0, at = 'primary', ...rest } = more;
    return {
      address: { spaceId, receiveSlotId: slots[slot], kind: 'webhook', endpoint: at, disabled: false },
      requestUrl: 'http://localhost/receive/webhook/x',
      headers: { 'content-type': 'text/plain' },
      body: Buffer.from(text),
      deliveryKey: undefined,
      ...rest,
    };
  };

  async function storedTexts(): Promise<string[]> {
    const { rows } = await real.query<{ body: Buffer }>(
      'select m.body from message m join message_pending p using (message_id) order by p.seq',
    );
    return rows.map(({ body }) => body.toString());
  }

  function held() {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    fates.push(gate);
    return open;
  }

  /** Simulates a killed process: only the contents of its folder reach the next one. */
  function killed(): string {
    const left = `${place.folder}-left`;
    rmSync(left, { recursive: true, force: true });
    cpSync(place.folder, left, { recursive: true });
    return left;
  }

  /** Files of the journal, except the owner mark and the id of the process. */
  const keptFiles = () => readdirSync(place.folder).filter((name) => !/\.(owner|id)$/.test(name));

  const isSettled = async (promise: Promise<unknown>) =>
    Promise.race([
      promise.then(() => true),
      new Promise((resolve) => setImmediate(() => setImmediate(resolve, false))),
    ]);

  test('answers before the store has a message, and stores it under that id', async () => {
    const intake = await start();
    const open = held();
    const ids = [await intake.receive(arrival('one')), await intake.receive(arrival('two'))];
    expect(await storedTexts()).toEqual([]);
    const loaded = intake.whenStored();
    expect(await isSettled(loaded)).toBe(false);
    open();
    await loaded;
    expect(await storedTexts()).toEqual(['one', 'two']);
    const { rows } = await real.query<{ message_id: string }>(
      'select message_id from message order by message_id',
    );
    expect(rows.map((row) => row.message_id)).toEqual(ids);
    expect(told.flatMap((list) => list?.map(({ messageId }) => messageId))).toEqual(ids);
  });

  test('a caller waits for the store for some seconds only', async () => {
    const intake = await start();
    const open = held();
    await intake.receive(arrival('one'));
    const loaded = intake.whenStored();
    for (let count = 1; count <= 4; count++) await intake.receive(arrival(`message ${count}`));
    clock.advance(10);
    expect(await isSettled(loaded)).toBe(false);
    clock.advance(4_989);
    expect(await isSettled(loaded)).toBe(false);
    clock.advance(1);
    expect(await isSettled(loaded)).toBe(true);
    open();
    await intake.whenStored();
    expect(await storedTexts()).toEqual(['one', 'message 1', 'message 2', 'message 3', 'message 4']);
  });

  test('a caller waits for 10 ms where five messages arrive meanwhile, and not at all for more than 200', async () => {
    const intake = await start();
    const open = held();
    for (let count = 1; count <= 196; count++) await intake.receive(arrival(`message ${count}`));
    const inStorm = intake.whenStored();
    for (let count = 1; count <= 4; count++) await intake.receive(arrival(`later ${count}`));
    const forFew = intake.whenStored();
    await intake.receive(arrival('one more'));
    expect(await isSettled(intake.whenStored())).toBe(true);
    clock.advance(9);
    expect(await isSettled(inStorm)).toBe(false);
    clock.advance(1);
    expect([await isSettled(inStorm), await isSettled(forFew)]).toEqual([true, false]);
    open();
    await forFew;
  });

  test('a caller does not wait for messages of more than 4 MiB', async () => {
    const intake = await start();
    const open = held();
    for (const sign of ['a', 'b']) await intake.receive(arrival(sign.repeat((2 << 20) - 4096)));
    const forFewer = intake.whenStored();
    await intake.receive(arrival('c'.repeat(16_384)));
    expect([await isSettled(forFewer), await isSettled(intake.whenStored())]).toEqual([false, true]);
    open();
    await forFewer;
  });

  test('how long messages have waited is known from the last one that was stored', async () => {
    const pauseMsAfter = vi.spyOn(WritePace.prototype, 'pauseMsAfter');
    onTestFinished(() => pauseMsAfter.mockRestore());
    const intake = await start();
    const open = held();
    await intake.receive(arrival('one'));
    clock.advance(40_000);
    open();
    await intake.drained();
    const receiverLoad = expect.any(Number);
    expect(pauseMsAfter).toHaveBeenCalledWith(expect.any(Number), { waitedMs: 40_000, receiverLoad });
  });

  test('a repeat by its key hears the id of the first at once, whether the store has that or not', async () => {
    const intake = await start();
    const stored = await intake.receive(arrival('by key', { deliveryKey: 'k-1' }));
    await intake.whenStored();
    const open = held();
    expect(await intake.receive(arrival('by key', { deliveryKey: 'k-1' }))).toBe(stored);
    const waiting = await intake.receive(arrival('other key', { deliveryKey: 'k-2' }));
    expect(waiting).not.toBe(stored);
    expect(await intake.receive(arrival('by key again', { deliveryKey: 'k-2', at: 'secondary' }))).toBe(
      waiting,
    );
    expect(await intake.receive(arrival('by key', { deliveryKey: 'k-1', slot: 1 }))).not.toBe(stored);
    open();
    await intake.drained();
    expect(await storedTexts()).toEqual(['by key', 'other key', 'by key']);
  });

  test('the same body at the other address is the same message for ten minutes, whatever was answered early', async () => {
    const intake = await start();
    const open = held();
    const first = await intake.receive(arrival('repeated'));
    const duplicate = await intake.receive(arrival('repeated', { at: 'secondary' }));
    const other = await intake.receive(arrival('repeated', { at: 'secondary', slot: 1 }));
    open();
    expect(duplicate).toBe(first);
    expect(other).not.toBe(first);
    clock.advance(10 * 60_000 + 1);
    expect(await intake.receive(arrival('repeated', { at: 'secondary' }))).not.toBe(first);
    await intake.drained();
    expect(await storedTexts()).toEqual(['repeated', 'repeated', 'repeated']);
  });

  test.each([1, 2, 3, 4])(
    'pairs of the same body are told apart when the store takes %i at a time',
    async (size) => {
      const intake = await start();
      const ids: string[] = [];
      const places = ['primary', 'secondary', 'primary', 'secondary'] as const;
      for (let from = 0; from < places.length; from += size) {
        const open = held();
        for (const at of places.slice(from, from + size))
          ids.push(await intake.receive(arrival('same', { at })));
        open();
        await intake.drained();
      }
      await intake.drained();
      expect([ids[1], ids[3]]).toEqual([ids[0], ids[2]]);
      const { rows } = await real.query<{ id: string }>(
        'select message_id as id from message order by received_at, 1',
      );
      expect(rows.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    },
  );

  test('what came to the other address before this process began is known', async () => {
    const before = await start();
    const first = await before.receive(arrival('repeated', { at: 'secondary' }));
    await before.close();
    clock.advance(10 * 60_000 - 1);
    const after = await start();
    expect(await after.receive(arrival('repeated'))).toBe(first);
  });

  test('a key is known after a long stop, and a body is not', async () => {
    const before = await start();
    await before.receive(arrival('long before', { deliveryKey: 'old' }));
    clock.advance(10 * 60_000);
    const keyed = await before.receive(arrival('by key', { deliveryKey: 'k' }));
    const plain = await before.receive(arrival('repeated', { at: 'secondary' }));
    await before.close();
    clock.advance(23 * 60 * 60_000);
    const after = await start();
    expect(await after.receive(arrival('by key', { deliveryKey: 'k' }))).toBe(keyed);
    expect(await after.receive(arrival('repeated'))).not.toBe(plain);
    await after.drained();
    expect(await storedTexts()).toEqual(['long before', 'by key', 'repeated', 'repeated']);
  });

  test('messages with and without a key keep the order in which they came', async () => {
    const intake = await start();
    const open = held();
    const first = intake.receive(arrival('held'));
    const texts = Array.from({ length: 40 }, (_, index) => `m${index}`);
    const taken = texts.map((text, index) =>
      intake.receive(arrival(text, index % 3 ? {} : { deliveryKey: `key ${text}` })),
    );
    open();
    await Promise.all([first, ...taken]);
    await intake.drained();
    expect(await storedTexts()).toEqual(['held', ...texts]);
  });

  test('a process that is killed leaves what it answered for to the next one', async () => {
    const intake = await start();
    fates = ['fail'];
    await intake.receive(arrival('one', { body: Buffer.from([0, 255, 10, 0]) }));
    await intake.receive(arrival('two', { headers: { 'x-name': '日本' }, slot: 1 }));
    const left = killed();
    expect(await storedTexts()).toEqual([]);
    clock = new ManualClock(clock.now() + 5000);
    await start(left);
    const { rows } = await real.query(
      'select m.body, m.headers, m.receive_slot_id, m.received_at from message m join message_pending p using (message_id) order by p.seq',
    );
    expect(rows).toEqual([
      expect.objectContaining({
        body: Buffer.from([0, 255, 10, 0]),
        receive_slot_id: slots[0],
        received_at: '2026-01-01T00:00:00.000Z',
      }),
      expect.objectContaining({ body: Buffer.from('two'), headers: { 'x-name': '日本' } }),
    ]);
  });

  test('what the store took without saying so is not stored again, by this process or the next', async () => {
    const intake = await start();
    fates = ['lose the answer'];
    await intake.receive(arrival('one'));
    await expect.poll(() => lines.length).toBe(1);
    expect(lines[0]).toMatchObject({ level: 'warn', error: 'the connection broke' });
    const left = killed();
    const later = intake.receive(arrival('two'));
    clock.advance(1000);
    await later;
    await intake.drained();
    expect(await storedTexts()).toEqual(['one', 'two']);
    await start(left);
    expect(await storedTexts()).toEqual(['one', 'two']);
    expect(told).toContain(undefined);
    // Otherwise the database would have rejected the second offer as a duplicate.
    expect(keptFiles().filter((name) => name.endsWith('.refused'))).toEqual([]);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('while the store is away messages wait in their order, those with a key among them', async () => {
    const intake = await start();
    const open = held();
    await intake.receive(arrival('one'));
    const early = intake.receive(arrival('two'));
    const keyed = intake.receive(arrival('three', { deliveryKey: 'k' }));
    fates.push('fail', 'fail');
    open();
    await early;
    await keyed;
    await intake.receive(arrival('four'));
    await expect.poll(() => lines.length).toBe(1);
    clock.advance(1000);
    await expect.poll(() => lines.length).toBe(2);
    clock.advance(1000);
    await intake.drained();
    expect(await storedTexts()).toEqual(['one', 'two', 'three', 'four']);
  });

  test('nothing is skipped when the store stays away for several attempts', async () => {
    const intake = await start();
    isAway = true;
    await intake.receive(arrival('one'));
    for (const text of ['two', 'three']) {
      const attempts = lines.length + 1;
      await expect.poll(() => lines.length).toBe(attempts);
      await intake.receive(arrival(text));
      clock.advance(1000);
    }
    await expect.poll(() => lines.length).toBe(3);
    isAway = false;
    await intake.receive(arrival('four'));
    clock.advance(1000);
    await intake.drained();
    expect(await storedTexts()).toEqual(['one', 'two', 'three', 'four']);
    expect(intake.waitingBytes).toBe(0);
  });

  test('nobody waits for a store that is away, also not between its attempts', async () => {
    const intake = await start();
    isAway = true;
    await intake.receive(arrival('one'));
    await expect.poll(() => lines.length).toBe(1);
    expect(await isSettled(intake.whenStored())).toBe(true);
    isAway = false;
    clock.advance(1000);
    await intake.drained();
    let fail: (error: Error) => void = () => undefined;
    const failing = new Promise<void>((_resolve, reject) => {
      fail = reject;
    });
    // It may fail before the write has come to it.
    failing.catch(() => undefined);
    fates.push(failing);
    await intake.receive(arrival('two'));
    const waiting = intake.whenStored();
    expect(await isSettled(waiting)).toBe(false);
    fail(new StoreUnavailable('the store is away'));
    await waiting;
    expect(await storedTexts()).toEqual(['one']);
    clock.advance(1000);
    await intake.drained();
  });

  test('a stop does not wait for a store that is away; the next start stores what waits', async () => {
    const intake = await start();
    fates = ['fail'];
    await intake.receive(arrival('one'));
    await expect.poll(() => lines.length).toBe(1);
    await intake.close();
    expect(await storedTexts()).toEqual([]);
    await start();
    expect(await storedTexts()).toEqual(['one']);
  });

  test('a stop does not repeat an attempt that fails meanwhile', async () => {
    const intake = await start();
    let fail: (error: Error) => void = () => undefined;
    const failing = new Promise<void>((_resolve, reject) => {
      fail = reject;
    });
    failing.catch(() => undefined);
    fates.push(failing);
    const id = await intake.receive(arrival('one'));
    await expect.poll(() => fates).toEqual([]);
    const closed = intake.close();
    fail(new StoreUnavailable('the store is away'));
    await closed;
    expect((await real.query('select 1 from message')).rows).toEqual([]);
    await start();
    expect((await real.query('select message_id from message')).rows).toEqual([{ message_id: id }]);
  });

  test('a message that the store cannot take is set aside, and holds nothing up', async () => {
    const intake = await start();
    const open = held();
    await intake.receive(arrival('held'));
    // So large that a part of its body is stored first.
    const bad = await intake.receive(arrival('b'.repeat(1024 * 1024), { requestUrl: 'a\0b' }));
    await intake.receive(arrival('good'));
    open();
    await intake.drained();
    expect(await storedTexts()).toEqual(['held', 'good']);
    expect((await database.query('select 1 from message_body_part')).rows).toEqual([]);
    expect(lines).toMatchObject([{ level: 'error', messageId: bad }]);
    await intake.close();
    expect(keptFiles()).toEqual(['0000000000000002.refused']);
    expect(lines[0]!.message).toContain('0000000000000002.refused');
  });

  test('nothing of a message stays in the journal for longer than a minute after it was stored', async () => {
    const intake = await start();
    await intake.receive(arrival('one'));
    await intake.whenStored();
    expect(keptFiles()).toHaveLength(1);
    clock.advance(60_000);
    await expect.poll(keptFiles).toEqual([]);
  });

  test('when the journal cannot be written nothing is answered for', async () => {
    const intake = await start();
    await intake.receive(arrival('one'));
    await intake.whenStored();
    clock.advance(60_000);
    await expect.poll(keptFiles).toEqual([]);
    rmSync(place.folder, { recursive: true });
    await expect(intake.receive(arrival('two'))).rejects.toMatchObject({ status: 503, retryAfter: 1 });
    expect(lines).toMatchObject([{ level: 'error', code: 'ENOENT' }]);
    expect(await intake.unavailableReason()).toBe('the intake journal cannot be written');
    mkdirSync(place.folder);
    await intake.receive(arrival('three'));
    expect(await intake.unavailableReason()).toBe(null);
    await intake.drained();
    expect(await storedTexts()).toEqual(['one', 'three']);
    // The position of the failed write is skipped.
    expect(lines).toHaveLength(1);
    expect(keptFiles().filter((name) => name.endsWith('.damaged'))).toEqual([]);
  });

  test('a full journal refuses and says so, until the store has taken what waits', async () => {
    const intake = await start(place.folder, { waiting: 3000, reserve: 0 });
    const open = held();
    const ids: string[] = [];
    for (const text of ['a', 'b', 'c']) ids.push(await intake.receive(arrival(text.repeat(1000))));
    expect(await intake.unavailableReason()).toBe('the intake journal is full');
    await expect(intake.receive(arrival('d'))).rejects.toMatchObject({ status: 503, retryAfter: 1 });
    open();
    await intake.drained();
    expect(await intake.unavailableReason()).toBe(null);
    await intake.receive(arrival('e'));
    await intake.drained();
    expect((await storedTexts()).map((text) => text[0])).toEqual(['a', 'b', 'c', 'e']);
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ['error', 'no message is taken in: the intake journal is full'],
      ['info', 'messages are taken in again'],
    ]);
  });

  test('a disk that is nearly full refuses as well', async () => {
    const intake = await start(place.folder, { waiting: 2 ** 40, reserve: 2 ** 60 });
    await expect.poll(() => intake.unavailableReason()).toBe('the disk of the intake journal is nearly full');
    await expect(intake.receive(arrival('one'))).rejects.toMatchObject({ status: 503 });
  });

  test('a long backlog is read back from its files in order, and waits for nobody who asks for messages', async () => {
    const intake = await start();
    const open = held();
    const texts = Array.from(
      { length: 2500 },
      (_, index) => `${index} ${'x'.repeat(index % 7 === 0 ? 9000 : 300)}`,
    );
    await intake.receive(arrival('first'));
    await Promise.all(texts.map((text) => intake.receive(arrival(text))));
    await intake.whenStored();
    expect(await storedTexts()).toEqual([]);
    open();
    await intake.drained();
    expect(await storedTexts()).toEqual(['first', ...texts]);
  });
});
