// Messages in the intake journal are stored together with their evaluation: in one statement, atomically and
// once.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ArrivalRow } from '../../src/alerthub/arrivals/arrival.ts';
import { claimJournal } from '../../src/alerthub/intake/intake-journal.ts';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { Database, Statement } from '../../src/db/database.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';
import { AlertClient } from '../support/alert-client.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

type Line = Awaited<ReturnType<AlertClient['createAlertPath']>>;

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let caller: AlertClient;
  let line: Line;

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (!server) return;
    caller = new AlertClient(server, clock);
    const ids = { id: journalId, previousId: null };
    await claimJournal(server.services.database, ids, clock);
  });
  beforeEach(async (context) => {
    if (!server) return context.skip();
    line = await caller.createAlertPath();
    await line.trigger();
    await server.settled();
  });
  afterAll(() => server?.stop());

  const services = () => server!.services;
  const number = async (sql: string, values: unknown[] = []) =>
    Number((await services().database.query<{ n: string }>(sql, values)).rows[0]!.n);
  const stored = () =>
    number('select count(*) as n from message where receive_slot_id = $1', [line.receiveSlotId]);
  const journalId = '00000000-0000-4000-8000-00000000000f';
  const mark = () =>
    number('select stored_up_to as n from intake_journal where journal_id = $1', [journalId]);

  /** Entries as delivered by the journal; the given fields are merged into the body. */
  async function rows(list: { fields?: object; row?: Partial<ArrivalRow> }[]): Promise<ArrivalRow[]> {
    let sequence = await mark();
    const nextId = createIdSource(clock);
    return list.map(({ fields, row }) => {
      const body = Buffer.from(JSON.stringify({ delta: 1, ...fields }));
      return {
        address: {
          receiveSlotId: line.receiveSlotId,
          spaceId: services().spaceId,
          endpoint: 'primary',
          kind: 'webhook',
          disabled: false,
        },
        requestUrl: 'http://localhost/receive/webhook/somewhere',
        headers: {},
        body,
        deliveryKey: undefined,
        messageId: nextId(),
        receivedAt: isoTime(clock.now()),
        fingerprint: createHash('sha256').update(body).digest().subarray(0, 16),
        journalEntry: { journalId, sequence: ++sequence },
        ...row,
      };
    });
  }

  test('stores, decides and starts deliveries with one statement', async () => {
    const arrivals = await rows([1, 2, 3].map((turn) => ({ fields: { turn } })));
    expect(await services().pipeline.storeAndDecide(arrivals)).toBe(true);
    await server!.settled();
    expect(await stored()).toBe(3);
    expect(await mark()).toBe(arrivals[2]!.journalEntry!.sequence);
    expect((await line.events()).map(({ messageId, severity }) => [messageId, severity])).toEqual(
      arrivals.map(({ messageId }, index) => [messageId, index + 1]),
    );
    expect((await line.records()).map(({ attempts }) => attempts.length)).toEqual([1, 1, 1]);
    const outcomes = (await line.why(arrivals[1]!.messageId)).rules.map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual(['matched', 'unmatched']);
  });

  test('stores nothing when a message repeats one that is there', async () => {
    const [first] = await rows([{ fields: { turn: 1 }, row: { deliveryKey: 'k' } }]);
    expect(await services().pipeline.storeAndDecide([first!])).toBe(true);
    const before = await mark();
    const again = await rows([
      { fields: { turn: 2 } },
      { fields: { turn: 3 }, row: { deliveryKey: 'k', fingerprint: first!.fingerprint } },
    ]);
    expect(await services().pipeline.storeAndDecide(again)).toBe(false);
    expect(await stored()).toBe(1);
    expect(await mark()).toBe(before);
    expect(await line.events()).toHaveLength(1);
  });

  test('stores nothing when two of the messages are the same one', async () => {
    const twice = { fields: { turn: 1 }, row: { deliveryKey: 'k' } };
    expect(await services().pipeline.storeAndDecide(await rows([twice, twice]))).toBe(false);
    expect(await stored()).toBe(0);
  });

  test('stores nothing when the store refuses one of the messages', async () => {
    const before = await mark();
    const arrivals = await rows([
      { fields: { turn: 1 } },
      { fields: { turn: 2 }, row: { requestUrl: 'a\0b' } },
    ]);
    expect(await services().pipeline.storeAndDecide(arrivals)).toBe(false);
    expect([await stored(), await mark(), (await line.events()).length]).toEqual([0, before, 0]);
    expect((await line.scope()).severity).toBe(0);
  });

  test('overtakes no message that waits for its decision', async () => {
    const [late] = await rows([{ fields: { turn: 2 } }]);
    // A row of another process, stored and queued before this one is evaluated.
    const [early] = await rows([{ fields: { turn: 1 } }]);
    const { database, pipeline } = services();
    await pipeline.withPipelineLock(
      'state',
      async (tx) => {
        await tx.query(
          `insert into message (message_id, space_id, receive_slot_id, receive_slot_kind, place, received_at, request_url,
             headers, body, size, summary, fingerprint)
           values ($1, $2, $3, 'webhook', 'primary', $4, '', '{}', $5, $6, '', $7)`,
          [
            ...[early!.messageId, early!.address.spaceId, line.receiveSlotId, early!.receivedAt],
            ...[early!.body, early!.body.length, early!.fingerprint],
          ],
        );
        await tx.query('insert into message_pending (message_id) values ($1)', [early!.messageId]);
      },
      () => undefined,
    );
    expect(await pipeline.storeAndDecide([late!])).toBe(false);
    expect(await number('select count(*) as n from message where message_id = $1', [late!.messageId])).toBe(
      0,
    );
    pipeline.addStored(undefined);
    await server!.settled();
    expect((await line.events()).map(({ messageId }) => messageId)).toEqual([early!.messageId]);
    expect(database.kind).toBe(engine);
  });
});

describe('behind the intake journal', () => {
  let server: TestServer;
  let clock: ManualClock;
  let caller: AlertClient;
  let line: Line;
  let query: Database['query'];

  beforeAll(async () => {
    clock = new ManualClock();
    server = (await startTestServer({ engine: 'embedded', clock }))!;
    caller = new AlertClient(server, clock);
    query = server.services.database.query;
  });
  beforeEach(async () => {
    server.services.database.query = query;
    line = await caller.createAlertPath();
    await line.trigger();
    await server.settled();
  });
  afterAll(() => server?.stop());

  const lineEnd = async () =>
    (await query<{ n: string }>("select nextval(pg_get_serial_sequence('message_pending', 'seq')) as n"))
      .rows[0]!.n;

  /** Intercepts the statements that store and evaluate. */
  function intercept(fate: (run: () => Promise<unknown>) => Promise<unknown>): void {
    server.services.database.query = ((statement: Statement, values?: unknown[]) => {
      const run = () => query(statement, values);
      const isMeant = typeof statement !== 'string' && statement.name.startsWith('store-and-decide');
      return isMeant ? fate(run) : run();
    }) as Database['query'];
  }

  test('a post takes no place in the waiting line, and makes one event', async () => {
    const before = Number(await lineEnd());
    for (const turn of [1, 2, 3]) await line.send(1, { turn });
    expect(Number(await lineEnd())).toBe(before + 1);
    expect((await line.events()).map(({ severity }) => severity)).toEqual([1, 2, 3]);
  });

  test('a lost answer neither repeats nor loses anything', async () => {
    let losses = 1;
    intercept(async (run) => {
      const result = await run();
      if (losses-- > 0) throw new StoreUnavailable('the connection broke');
      return result;
    });
    await sendInTime(1);
    expect(await line.events()).toHaveLength(1);
    expect(await line.records()).toHaveLength(1);
    await line.send(1, { turn: 2 });
    expect((await line.events()).map(({ severity }) => severity)).toEqual([1, 2]);
  });

  test('a message is stored first where storing and deciding it at once fails for good', async () => {
    let tries = 0;
    intercept(() => {
      tries++;
      return Promise.reject(new StoreUnavailable('the engine stopped'));
    });
    await sendInTime(1);
    expect(tries).toBe(1);
    expect(await line.events()).toHaveLength(1);
  });

  /** Sends a message and advances the clock until it is decided and nothing waits for the time any more. */
  async function sendInTime(turn: number): Promise<void> {
    let isSettled = false;
    const sent = line.send(1, { turn }).then(() => {
      isSettled = true;
    });
    const isThere = 'select 1 from event where scope_id = $1';
    await expect
      .poll(async () => {
        clock.advance(1000);
        return [isSettled, (await query(isThere, [line.scopeId])).rows.length];
      })
      .toEqual([true, 1]);
    await sent;
  }
});
