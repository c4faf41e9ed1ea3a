// Sessions and host keys that are added to a destination while it is being deleted.
import type { SessionAttachment } from '@yagura/core/greac/session';
import { type KrokerMachine, setUpKroker } from '@yagura/fixtures/testbed/kroker-machine';
import { connectGateway } from '@yagura/fixtures/testbed/test-gateway';
import { openViewer } from '@yagura/fixtures/testbed/test-viewer';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Transaction } from '../../src/db/database.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Item = Record<string, unknown>;
const destinations = '/api/apps/greac/destinations';
const sessions = '/api/apps/greac/sessions';

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let admin: ApiCall;
  let machine: KrokerMachine;

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (!server) return;
    const owner = await server.signedIn('privileged');
    admin = createApiCall(owner);
    machine = await setUpKroker(owner, { displayName: 'Nagoya' });
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  async function make(path: string, body: Item): Promise<Item> {
    const reply = await admin('POST', path, body);
    expect([200, 201], reply.text).toContain(reply.status);
    return reply.data as Item;
  }
  const makeDestination = async (displayName: string) =>
    String(
      (await make(destinations, { displayName, host: 'web-01', krokerId: machine.krokerId })).destinationId,
    );
  /** Deletes the destination with its keys; `during` runs before the deletion is committed. */
  const whileDeleted = (destinationId: string, during: (tx: Transaction) => Promise<unknown>) =>
    server!.services.database.transaction(async (tx) => {
      await tx.query('delete from resource where id = $1 or parent_id = $1', [destinationId]);
      await during(tx);
    });
  /** Resolves when somebody waits for a row; the embedded engine runs transactions one after the other anyway. */
  const untilWaiting = async (tx: Transaction) => {
    if (engine === 'embedded') return;
    await vi.waitFor(
      async () => {
        const { rows } = await tx.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(rows).toHaveLength(1);
      },
      { timeout: 20_000 },
    );
  };

  test('a host key that is accepted then does not stay behind', async () => {
    const gateway = await connectGateway({ origin: server!.origin, machine });
    const destinationId = await makeDestination('key');
    const sessionId = String((await make(sessions, { destinationId })).sessionId);
    const attachment = (await make(`${sessions}/${sessionId}/attach`, {})) as unknown as SessionAttachment;
    const viewer = await openViewer({ origin: server!.origin, sessionId, attachment });
    await gateway.next('open');
    await whileDeleted(destinationId, async () =>
      gateway.send({ type: 'opened', sessionId, hostKey: 'SHA256:late' }),
    );
    await server!.settled();
    const session = async () => (await admin('GET', `${sessions}/${sessionId}`)).data;
    await expect.poll(session).toMatchObject({ hostKey: 'SHA256:late' });
    const { rows } = await server!.services.database.query(
      `select body from resource where kind = 'host-key'`,
    );
    expect(rows).toEqual([]);
    viewer.close();
    await gateway.close();
  });

  test('no session is opened then', async () => {
    const destinationId = await makeDestination('session');
    let opened: ReturnType<ApiCall> | undefined;
    await whileDeleted(destinationId, async (tx) => {
      opened = admin('POST', sessions, { destinationId });
      await Promise.race([opened, untilWaiting(tx)]);
    });
    expect((await opened!).status).toBe(400);
  });
});
