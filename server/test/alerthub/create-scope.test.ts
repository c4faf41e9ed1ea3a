// Rules that create the scopes they select: stored with the events, recorded in the audit log, and limited.
import type { DecisionLog } from '@yagura/core/alerthub/decision-log';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient } from '../support/alert-client.ts';
import { post } from '../support/post.ts';
import { refuseRows } from '../support/sql/refuse-rows.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

interface Scope {
  scopeId: string;
  displayName: string;
  severity: number;
}

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let caller: AlertClient;
  let slot: { receiveSlotId: string; primary: string };
  let ruleId: string;

  beforeAll(async () => {
    const clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (!server) return;
    caller = new AlertClient(server, clock);
    slot = await caller.make('receive-slots', { displayName: 'Hosts' });
    ({ ruleId } = await caller.make<{ ruleId: string }>('rules', {
      displayName: 'Host',
      receiveSlotId: slot.receiveSlotId,
      forEach: '$[*]',
      conditionalEventParams: [
        {
          attributes: [{ name: 'site', op: 'eq', value: 'tokyo' }],
          scopeName: { template: '{{element.host}}' },
          createScope: true,
          delta: 1,
        },
      ],
    }));
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const send = async (...hosts: string[]): Promise<string> => {
    const reply = await post(slot.primary, JSON.stringify(hosts.map((host) => ({ host }))));
    expect(reply.status).toBe(202);
    await server!.settled();
    return ((await reply.json()) as { messageId: string }).messageId;
  };
  const scopes = async () =>
    Object.fromEntries((await caller.list<Scope>('scopes')).map((scope) => [scope.displayName, scope]));
  const severities = async () =>
    Object.fromEntries(Object.entries(await scopes()).map(([name, { severity }]) => [name, severity]));
  const query = (text: string, values: unknown[]) => server!.services.database.query(text, values);

  test('a scope is created with the first event and selected from then on', async () => {
    const messageId = await send('web1', 'db1', 'web1');
    await send('web1');
    expect(await severities()).toEqual({ web1: 3, db1: 1 });
    const { web1 } = await scopes();
    expect(await caller.list(`scopes/${web1!.scopeId}/attributes`)).toMatchObject([
      { name: 'site', value: 'tokyo' },
    ]);
    expect(await caller.list(`scopes/${web1!.scopeId}/severities`)).toMatchObject([
      { name: 'default', value: 3 },
    ]);
    const why = await caller.show<DecisionLog>(`message/detail/${messageId}/why`);
    expect(why.events.map(({ scopeName }) => scopeName).sort()).toEqual(['db1', 'web1', 'web1']);
    const notes = why.rules[0]!.elements!.map((element) => element.notes.map(({ word }) => word));
    expect(notes).toEqual([['why.event.scopeCreated'], ['why.event.scopeCreated'], []]);
  });

  test('the audit log names the receive slot, once for each scope', async () => {
    await server!.restart();
    const { web1 } = await scopes();
    const { data } = await caller.callApi(
      'GET',
      `/api/space/audit-records?filter=resourceId%20eq%20%22${web1!.scopeId}%22`,
    );
    expect((data as { items: object[] }).items).toMatchObject([
      { action: 'create', resource: 'scope', actorKind: 'server', detail: 'Hosts' },
    ]);
  });

  test('a scope whose audit record is refused does not hold up those of the others', async () => {
    const accept = await refuseRows(
      () => server!.services.database,
      'audit_record',
      "new.after::text like '%poisoned1%'",
    );
    const audited = async () => {
      const { data } = await caller.callApi('GET', '/api/space/audit-records?limit=200');
      return (data as { items: { resourceId: string }[] }).items.map(({ resourceId }) => resourceId);
    };
    await send('poisoned1', 'sound1', 'sound2');
    await server!.restart();
    const { poisoned1, sound1, sound2 } = await scopes();
    expect(await audited()).toEqual(expect.arrayContaining([sound1!.scopeId, sound2!.scopeId]));
    expect(await audited()).not.toContain(poisoned1!.scopeId);
    await accept();
    await server!.restart();
    expect(await audited()).toContain(poisoned1!.scopeId);
    for (const { scopeId } of [poisoned1!, sound1!, sound2!])
      expect((await caller.callApi('DELETE', `/api/apps/alerthub/scopes/${scopeId}`)).status).toBe(200);
  });

  test('a scope can be edited and deleted like any other, and is created again', async () => {
    const { db1 } = await scopes();
    const { scopeId } = db1!;
    expect((await caller.callApi('DELETE', `/api/apps/alerthub/scopes/${scopeId}`)).status).toBe(200);
    expect((await query('select 1 from created_scope where scope_id = $1', [scopeId])).rows).toEqual([]);
    await send('db1');
    expect((await scopes()).db1).toMatchObject({ severity: 1 });
    expect((await scopes()).db1!.scopeId).not.toBe(scopeId);
  });

  test('a name that another server has given meanwhile is taken from it', async () => {
    const { web1 } = await scopes();
    const scopeId = '0190a0a0-0000-7000-8000-00000000000a';
    await query(
      `insert into resource (space_id, kind, id, unique_key, body, created_at, updated_at)
       select space_id, kind, $1, '["late1"]', body || '{"displayName": "late1"}', created_at, updated_at
       from resource where id = $2`,
      [scopeId, web1!.scopeId],
    );
    await query(
      `insert into attribute (space_id, scope_id, name, value, created_at, updated_at)
       select space_id, $1, name, value, created_at, updated_at from attribute where scope_id = $2`,
      [scopeId, web1!.scopeId],
    );
    await send('late1');
    await caller.advanceUntil(severities, { web1: 3, db1: 1, late1: 1 });
    expect((await scopes()).late1!.scopeId).toBe(scopeId);
  });

  test('a slot that has created its maximum creates none, and notifies', async () => {
    await query(
      `insert into created_scope (scope_id, space_id, receive_slot_id, rule_id, audited)
       select gen_random_uuid(), space_id, receive_slot_id, $1, true
       from created_scope, generate_series(1, $2) where receive_slot_id = $3`,
      [ruleId, 1000, slot.receiveSlotId],
    );
    await server!.restart();
    const messageId = await send('web1', 'new1');
    await send('new2');
    expect(Object.keys(await scopes()).sort()).toEqual(['db1', 'late1', 'web1']);
    const why = await caller.show<DecisionLog>(`message/detail/${messageId}/why`);
    expect(why.rules[0]!.elements![1]!.notes).toEqual([
      { word: 'why.event.tooManyScopes', params: { name: 'new1', most: 1000 } },
    ]);
    const { rows } = await query('select kind from trouble where subject_id = $1', [slot.receiveSlotId]);
    expect(rows).toEqual([{ kind: 'scopes' }]);
  });
});
