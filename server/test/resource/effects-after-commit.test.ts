// A write is announced, audited and acknowledged only after its commit; a failed one leaves no trace.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Change } from '../../src/db/change-bus.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const slots = '/api/apps/alerthub/receive-slots';
const scopes = '/api/apps/alerthub/scopes';

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let callApi: ApiCall;
  let told: Change[] = [];

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (!server) return;
    callApi = createApiCall(server.transportAs('privileged'));
    // Changes of computed state, such as a slot's watch state, are not caused by the write and are ignored.
    server.services.changes.listen((changes) => told.push(...changes.filter(({ state }) => !state)));
    // Rejects at commit, after all statements of the transaction have succeeded.
    await server.services.database.query(
      `create function refuse_commit() returns trigger language plpgsql as $$
         begin raise exception 'refused at commit'; end $$`,
    );
  });
  beforeEach((context) => {
    if (!server) context.skip();
    told = [];
  });
  afterAll(() => server?.stop());

  async function refusingCommits<T>(work: () => Promise<T>): Promise<T> {
    const { database } = server!.services;
    await database.query(
      `create constraint trigger refused after insert or update or delete on resource
         deferrable initially deferred for each row execute function refuse_commit()`,
    );
    try {
      return await work();
    } finally {
      await database.query('drop trigger refused on resource');
    }
  }
  const notes = async () => {
    await server!.services.audit.flush();
    const { rows } = await server!.services.database.query<{ notes: number }>(
      'select count(*)::int as notes from audit_record',
    );
    return rows[0]!.notes;
  };
  /** A resource written in its own transaction, and one whose writes are serialized with evaluation. */
  const kinds = [
    ['a receive slot', slots, 'receiveSlotId', 'receive-slot'],
    ['a scope', scopes, 'scopeId', 'scope'],
  ] as const;

  test.each(kinds)(
    '%s that is not committed is not told of, noted or there',
    async (_name, path, id, kind) => {
      const made = await callApi('POST', path, { displayName: `kept ${kind}` });
      const item = `${path}/${(made.data as Record<string, string>)[id]}`;
      expect(told).toMatchObject([{ resource: kind, op: 'create' }]);
      told = [];
      const before = [(await callApi('GET', path)).data, await notes()];
      await refusingCommits(async () => {
        for (const reply of [
          await callApi('POST', path, { displayName: `lost ${kind}` }),
          await callApi('PUT', item, { displayName: `changed ${kind}` }),
          await callApi('DELETE', item),
        ]) {
          expect(reply.status).toBe(500);
          expect(reply.text).not.toContain('refused at commit');
        }
      });
      expect(told).toEqual([]);
      expect([(await callApi('GET', path)).data, await notes()]).toEqual(before);
      expect((await callApi('PUT', item, { displayName: `changed ${kind}` })).status).toBe(200);
      expect((await callApi('DELETE', item)).status).toBe(200);
      expect(told).toMatchObject([
        { resource: kind, op: 'update' },
        { resource: kind, op: 'delete' },
      ]);
    },
  );

  test('of what a person removes with all that it holds, each is told', async () => {
    const made = (await callApi('POST', scopes, { displayName: 'holding' })).data as { scopeId: string };
    const mute = await callApi('POST', `${scopes}/${made.scopeId}/mute-schedules`, {
      displayName: 'night',
      beginAt: '2026-01-01T00:00:00Z',
      endAt: '2026-01-02T00:00:00Z',
    });
    expect(mute.status, mute.text).toBe(201);
    const { muteScheduleId } = mute.data as { muteScheduleId: string };
    told = [];
    expect((await callApi('DELETE', `${scopes}/${made.scopeId}`)).status).toBe(200);
    const gone = told.filter(({ op }) => op === 'delete').map(({ resource, id }) => [resource, id]);
    expect(gone).toEqual(
      expect.arrayContaining([
        ['scope', made.scopeId],
        ['mute-schedule', muteScheduleId],
      ]),
    );
  });
});
