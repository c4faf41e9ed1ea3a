// Settings are loaded once; after a change only what has changed, with the same result as if everything were loaded.
import { type CompiledConfig, compileConfig } from '@yagura/core/alerthub/engine/evaluation/compile-config';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadConfigRows } from '../../src/alerthub/pipeline/pipeline-config.ts';
import type { Queryable } from '../../src/db/database.ts';
import { createApiCall } from '../support/api-request.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Body = Record<string, string>;
const api = '/api/apps/alerthub';
const thresholds = { warning: 1, incident: 10 };
const webhook = { kind: 'webhook', parameters: { url: 'http://127.0.0.1:9/' } };

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let call: ReturnType<typeof createApiCall>;
  let spaceId = '';

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (!server) return;
    call = createApiCall(server.transportAs('privileged'));
    spaceId = ((await call('GET', '/api/space')).data as Body).spaceId!;
    for (let number = 0; number < 20; number++) await make('scopes', { displayName: `Scope ${number}` });
  }, 60_000);
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const make = async (path: string, body: object): Promise<Body> => {
    const fields = path === 'scopes' ? { thresholds, ...body } : body;
    const reply = await call('POST', `${api}/${path}`, fields);
    expect(reply.status, reply.text).toBe(201);
    return reply.data as Body;
  };
  const write = async (method: string, path: string, body?: object) => {
    const reply = await call(method, `${api}/${path}`, body);
    expect(reply.status, reply.text).toBeLessThan(300);
  };

  /** Compares the cached settings with all stored ones; returns how many items were loaded for them. */
  async function loadedItems(): Promise<number> {
    const { database, pipeline, sealing } = server!.services;
    let count = 0;
    const counting: Queryable = {
      ...database,
      query: async (text, values) => {
        const result = await database.query(text, values);
        const sql = typeof text === 'string' ? text : text.text;
        if (sql.includes('body, created_at from resource')) count += result.rows.length;
        return result as never;
      },
    };
    const cached = await pipeline.config.of(counting, spaceId);
    const stored = structuredClone(await loadConfigRows(database, spaceId, sealing));
    expect(seen(cached)).toEqual(seen(compileConfig(stored)));
    return count;
  }

  test('one change loads one item', async () => {
    expect(await loadedItems()).toBeGreaterThanOrEqual(20);
    expect(await loadedItems()).toBe(0);
    const slot = await make('receive-slots', { displayName: 'Slot' });
    const { scopeId } = await make('scopes', { displayName: 'Changing' });
    expect(await loadedItems()).toBe(1);
    const action = await make('actions', { displayName: 'Action', ...webhook });
    const target = { kind: 'action', id: action.actionId };
    const trigger = await make(`scopes/${scopeId}/triggers`, { displayName: 'Trigger', target });
    const rule = await make('rules', {
      displayName: 'Rule',
      receiveSlotId: slot.receiveSlotId,
      eventParams: [{ scopeId, delta: 1 }],
    });
    expect(await loadedItems()).toBe(3);

    await write('PUT', `scopes/${scopeId}/attributes/host`, { value: 'a' });
    expect(await loadedItems()).toBe(1);
    await write('PUT', `scopes/${scopeId}/attributes/host`, { value: 'b' });
    await write('PUT', `scopes/${scopeId}`, { displayName: 'Changed', remarks: '', thresholds });
    expect(await loadedItems()).toBe(1);
    await write('DELETE', `scopes/${scopeId}/attributes/host`);
    expect(await loadedItems()).toBe(1);
    await write('PATCH', `rules/${rule.ruleId}`, { displayName: 'Renamed rule' });
    await write('PATCH', `scopes/${scopeId}/triggers/${trigger.triggerId}`, { disabled: true });
    await write('PUT', `actions/${action.actionId}`, { displayName: 'Renamed action', ...webhook });
    expect(await loadedItems()).toBe(3);

    await write('DELETE', `rules/${rule.ruleId}`);
    await write('DELETE', `scopes/${scopeId}`);
    expect(await loadedItems()).toBe(0);
    const { triggers } = await loadConfigRows(server!.services.database, spaceId, server!.services.sealing);
    expect(triggers).toEqual([]);
  });

  test('a change of the space is seen', async () => {
    await loadedItems();
    const space = (await call('GET', '/api/space')).data as Body;
    const reply = await call('PUT', '/api/space', { displayName: `${space.displayName} renamed` });
    expect(reply.status, reply.text).toBeLessThan(300);
    await loadedItems();
  });

  test('many changes load everything', async () => {
    await loadedItems();
    for (let number = 0; number <= 100; number++)
      await make('scopes', { displayName: `Another scope ${number}` });
    expect(await loadedItems()).toBeGreaterThanOrEqual(121);
  });
});

/** What evaluation can tell apart, independent of the order in which rows were loaded. */
function seen(config: CompiledConfig) {
  const { scopes, scopeIndex, rulesBySlot, actions, runbooks, createdScopeCounts, space } = config;
  return {
    scopes: Object.fromEntries(
      [...scopes].map(([scopeId, { source, attributes, triggers }]) => [
        scopeId,
        {
          ...{ source, attributes: [...attributes], triggers: triggers.map((one) => one.source) },
          byName: scopeIndex.withDisplayName(source.displayName),
          byAttribute: [...attributes].map(([name, value]) => scopeIndex.withAttribute(name, value)),
        },
      ]),
    ),
    indexed: [...scopeIndex.all()].sort(),
    rules: [...rulesBySlot].map(([slotId, rules]) => [
      slotId,
      rules.map(({ displayName, events }) => ({ displayName, scopes: events.map((one) => one.scopeId) })),
    ]),
    ...{ actions, runbooks, createdScopeCounts, space },
  };
}
