// Rows that the server itself adds to an item while the item is being deleted.

import { setupPaths } from '@yagura/core/kroker/kroker-setup';
import { type KrokerMachine, setUpKroker } from '@yagura/fixtures/testbed/kroker-machine';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Refusal } from '../../src/alerthub/slots/refusal.ts';
import { RefusalStore } from '../../src/alerthub/slots/refusal-store.ts';
import { ManualClock } from '../../src/common/clock.ts';
import type { Transaction } from '../../src/db/database.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Item = Record<string, unknown>;

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let admin: ApiCall;
  const clock = new ManualClock();
  let count = 0;

  beforeAll(async () => {
    server = await startTestServer({ engine, clock });
    if (!server) return;
    admin = createApiCall(server.transportAs('privileged'));
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  /** Resolves when `work` is done or waits for a row; the embedded engine runs transactions one after the other anyway. */
  const untilWaiting = async (tx: Transaction, work: Promise<unknown>) => {
    if (engine === 'embedded') return;
    let isDone = false;
    work.finally(() => (isDone = true)).catch(() => {});
    await vi.waitFor(
      async () => {
        if (isDone) return;
        const { rows } = await tx.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(rows).toHaveLength(1);
      },
      { timeout: 20_000 },
    );
  };

  /**
   * Deletes an item, then its rows in one table after the other. `add` begins when the first table is done, as if it had
   * been a moment later in the deletion.
   */
  async function addWhileDeleted(
    item: { id: string; column: string; tables: [string, ...string[]] },
    add: () => Promise<unknown>,
  ): Promise<unknown[]> {
    const { id, column, tables } = item;
    const { database } = server!.services;
    let begin = () => {};
    // Outside the transaction, in which no other one may be opened.
    const added = new Promise<void>((resolve) => (begin = resolve)).then(add);
    await database.transaction(async (tx) => {
      await tx.query('delete from resource where id = $1 or parent_id = $1', [id]);
      for (const [index, table] of tables.entries()) {
        await tx.query(`delete from ${table} where ${column} = $1`, [id]);
        if (index > 0) continue;
        begin();
        await untilWaiting(tx, added);
      }
    });
    await added;
    const left = await Promise.all(
      tables.map(
        async (table) => (await database.query(`select * from ${table} where ${column} = $1`, [id])).rows,
      ),
    );
    return left.flat();
  }

  const newKroker = (): Promise<KrokerMachine> =>
    setUpKroker(server!.transportAs('privileged'), { displayName: `kroker ${++count}` });
  const rowsOf = ({ krokerId }: KrokerMachine) => ({
    id: krokerId,
    column: 'kroker_id',
    tables: ['kroker_log', 'kroker_notice', 'kroker_state'] as [string, ...string[]],
  });

  test('the check-in of a Kroker is refused, and leaves no entry in its log', async () => {
    const machine = await newKroker();
    let status = 0;
    const left = await addWhileDeleted(rowsOf(machine), async () => {
      const reply = await fetch(server!.origin + setupPaths.check, {
        method: 'POST',
        headers: { authorization: `Bearer ${machine.token}` },
      });
      status = reply.status;
    });
    expect([left, status]).toEqual([[], 401]);
  });

  test('a gateway that has left is neither logged nor notified', async () => {
    const body = { displayName: 'left', kind: 'webhook', parameters: { url: 'https://example.com/' } };
    const settings = '/api/apps/kroker/kroker-notification-settings';
    expect((await admin('POST', settings, body)).status).toBe(201);
    clock.advance(3 * 60_000);
    const machine = await newKroker();
    await server!.services.database.query(
      `update kroker_state set connected = true, gateway_version = '1', last_connected_at = $2 where kroker_id = $1`,
      [machine.krokerId, new Date(clock.now() - 3 * 60_000).toISOString()],
    );
    const left = await addWhileDeleted(rowsOf(machine), () => server!.services.gatewayPresence.runNow());
    expect(left).toEqual([]);
  });

  test('a refused request of a receive slot is not recorded', async () => {
    const slot = (await admin('POST', '/api/apps/alerthub/receive-slots', { displayName: 'slot' }))
      .data as Item;
    const receiveSlotId = String(slot.receiveSlotId);
    const failures: unknown[] = [];
    const { database } = server!.services;
    const store = new RefusalStore({ database, clock, log: (line) => void failures.push(line) });
    const refusal: Refusal = {
      ...{ receiveSlotId, address: 'primary', reason: 'method-not-allowed', method: 'GET' },
      ...{ sender: '192.0.2.1', userAgent: '', count: 1, refusedAt: clock.now() },
    };
    const left = await addWhileDeleted(
      { id: receiveSlotId, column: 'receive_slot_id', tables: ['slot_refusal'] },
      () => store.add([refusal]),
    );
    expect(failures).toEqual([]);
    expect(left).toEqual([]);
  });
});
