// The batch after the one that is being stored is evaluated meanwhile, and its results are used only if they are those that
// an evaluation afterwards would have.
import { maxPossibleScopes } from '@yagura/core/alerthub/engine/evaluation/scopes-of-messages';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ArrivalRow } from '../../src/alerthub/arrivals/arrival.ts';
import { isoTime } from '../../src/common/clock.ts';
import type { Database, Statement } from '../../src/db/database.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';
import { createTestPipeline } from './start-pipeline.ts';

let store: TestStore;
let database: Database;
let query: Database['query'];
let line: ReturnType<typeof createTestPipeline>;
let space: Awaited<ReturnType<typeof line.addSpace>>;
/** Names of the statements that load severities and store messages, in the order in which they were sent. */
let sent: string[];
/** Called before a statement that stores messages is sent. */
let beforeStore: () => Promise<unknown>;

beforeAll(async () => {
  store = (await createStoreWithTables('embedded'))!;
  database = await store.open();
  query = database.query.bind(database);
}, 120_000);
beforeEach(async () => {
  line = createTestPipeline(database);
  space = await line.addSpace();
  line.pipeline.start();
  await line.pipeline.idle();
  [sent, beforeStore] = [[], async () => {}];
  vi.spyOn(database, 'query').mockImplementation(((statement: Statement, values?: unknown[]) => {
    const name = typeof statement === 'string' ? '' : statement.name;
    const kind = ['severities-of', 'store-and-decide'].find((begin) => name.startsWith(begin));
    if (kind) sent.push(kind);
    if (kind !== 'store-and-decide') return query(statement, values);
    return beforeStore().then(() => query(statement, values));
  }) as Database['query']);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await line.pipeline.close();
  await line.deliveries.close();
});
afterAll(() => store?.remove());

/** Stores the batches one after the other, each with word of the next one. */
async function storeAll(batches: readonly ArrivalRow[][]): Promise<void> {
  for (const [index, batch] of batches.entries())
    expect(await line.pipeline.storeAndDecide(batch, () => batches[index + 1])).toBe(true);
}
const batchesOf = async (...sizes: number[]) => {
  const batches: ArrivalRow[][] = [];
  for (const size of sizes) batches.push(await line.journal(space.messages(size)));
  return batches as [ArrivalRow[], ArrivalRow[], ...ArrivalRow[][]];
};
/** The severity that each event left, in order. */
const severities = async (spaceId = space.spaceId) =>
  (
    await query<{ severity: number }>('select severity from event where space_id = $1 order by event_id', [
      spaceId,
    ])
  ).rows.map(({ severity }) => severity);
const inTurn = ['severities-of', 'store-and-decide', 'severities-of', 'store-and-decide'];

test('the next batch goes on from the results of the one that is being stored, and its actions are sent', async () => {
  const target = { kind: 'action', id: await space.addAction('{{severity}}') };
  await space.addScope({ target });
  await storeAll(await batchesOf(2, 3));
  expect(sent).toEqual(['severities-of', 'store-and-decide', 'store-and-decide']);
  expect(await severities()).toEqual([1, 2, 3, 4, 5]);
  expect(line.batches).toEqual([2, 3]);
  await line.deliveries.idle();
  expect(line.deliveriesSent).toHaveLength(5);
});

/** What makes the results of the next batch outdated, and the severities afterwards. */
const changes: [string, () => Promise<unknown>, number[]][] = [
  [
    'something else has changed the severity',
    async () =>
      line.pipeline.applyChanges(space.spaceId, [
        { scopeId: await onlyScope(), severityName: 'default', change: { delta: 10 }, source: 'api' },
      ]),
    [1, 11, 12],
  ],
  [
    'settings have changed',
    async () => {
      const disabled = `update resource set body = body || '{"disabled":true}' where space_id = $1 and kind = 'rule' returning id`;
      const { rows } = await query<{ id: string }>(disabled, [space.spaceId]);
      const about = { spaceId: space.spaceId, resource: 'rule', op: 'update' } as const;
      const at = isoTime(line.clock.now());
      line.changes.publish(rows.map(({ id }) => ({ ...about, id, at })));
    },
    [1],
  ],
];
const onlyScope = async () =>
  (
    await query<{ id: string }>(`select id from resource where space_id = $1 and kind = 'scope'`, [
      space.spaceId,
    ])
  ).rows[0]!.id;
test.each(changes)('the next batch is evaluated again if meanwhile %s', async (_what, change, expected) => {
  await space.addScope();
  const [first, second] = await batchesOf(1, 1);
  await line.pipeline.storeAndDecide(first, () => second);
  await change();
  expect(await line.pipeline.storeAndDecide(second)).toBe(true);
  expect(await severities()).toEqual(expected);
  expect(sent.filter((name) => name === 'store-and-decide')).toHaveLength(2);
});

test('settings that change while a batch is being stored apply to the next one', async () => {
  await space.addScope();
  const batches = await batchesOf(1, 1);
  let isFirst = true;
  beforeStore = async () => {
    if (isFirst) await changes[1]![1]();
    isFirst = false;
  };
  await storeAll(batches);
  expect(await severities()).toEqual([1]);
});

test('other messages than those expected are evaluated on their own', async () => {
  await space.addScope();
  const [first, second, third] = await batchesOf(1, 2, 1);
  await line.pipeline.storeAndDecide(first, () => third);
  expect(await line.pipeline.storeAndDecide(second)).toBe(true);
  expect(await severities()).toEqual([1, 2, 3]);
});

test('what the next batch needs in addition is loaded before the one before it is stored', async () => {
  await space.addScope();
  const scopeId = await space.addScope();
  const receiveSlotId = line.nextId();
  const more = { scopeId, severityName: { literal: 'default' }, delta: 5 };
  await space.addRule({ receiveSlotId, eventParams: [more] });
  await query(
    `delete from resource where kind = 'rule' and body->'eventParams'->0->>'scopeId' = $1 and body->>'receiveSlotId' <> $2`,
    [scopeId, receiveSlotId],
  );
  const [first, second] = await batchesOf(1, 1);
  const others = second.map((row) => ({ ...row, address: { ...row.address, receiveSlotId } }));
  await storeAll([first, others]);
  expect(sent).toEqual(['severities-of', 'severities-of', 'store-and-decide', 'store-and-decide']);
  expect(await severities()).toEqual([1, 5]);
});

test('a batch whose predecessor could not be stored is not decided from its results', async () => {
  await space.addScope();
  const [first, second] = await batchesOf(1, 1);
  beforeStore = async () => {
    throw new StoreUnavailable('away');
  };
  await expect(line.pipeline.storeAndDecide(first, () => second)).rejects.toThrow('away');
  beforeStore = async () => {};
  // As after any failure, messages are stored before they are decided until none waits.
  line.pipeline.addStored(await line.store(space.messages(1)));
  await line.pipeline.idle();
  expect(await line.pipeline.storeAndDecide(second)).toBe(true);
  expect(await severities()).toEqual([1, 2]);
});

test.each([
  [
    'count events',
    {
      conditionId: 'recent-events',
      params: {
        ...{ seconds: 60, value: 'delta', comparison: 'ge', number: 1 },
        ...{ countComparison: 'ge', count: 2 },
      },
    },
    1,
  ],
  [
    'count actions',
    { conditionId: 'recent-actions', params: { seconds: 60, countComparison: 'eq', count: 0 } },
    1,
  ],
])('a batch is evaluated after the one before it where conditions %s', async (_what, condition, actions) => {
  const target = { kind: 'action', id: await space.addAction('body') };
  await space.addScope({ target, conditions: [condition] });
  await storeAll(await batchesOf(1, 1));
  expect(sent).toEqual(inTurn);
  await line.deliveries.idle();
  expect(line.deliveriesSent).toHaveLength(actions);
});

test('turns without work leave the state as it is, for messages that arrive later', async () => {
  await space.addScope();
  const [first, second] = await batchesOf(1, 1);
  await storeAll([first]);
  await line.advance(1000);
  await storeAll([second]);
  expect(sent).toEqual(['severities-of', 'store-and-decide', 'store-and-decide']);
  expect(await severities()).toEqual([1, 2]);
});

test('a batch of another space is evaluated on its own', async () => {
  await space.addScope();
  const other = await line.addSpace();
  await other.addScope();
  await storeAll([await line.journal(space.messages(1)), await line.journal(other.messages(1))]);
  expect([await severities(), await severities(other.spaceId)]).toEqual([[1], [1]]);
});

const host = fc.constantFrom('h0', 'h1', 'h2');
const changeOf = fc.oneof(
  fc.record({ host, status: fc.constantFrom('up', 'down'), name: fc.constantFrom('cpu', 'disk') }),
  fc.record({
    ...{ host, status: fc.constantFrom('firing', 'resolved'), name: fc.constantFrom('cpu', 'disk') },
    fingerprint: fc.constantFrom('a', 'b', 'c'),
  }),
);
/** How often severities are loaded while batches are evaluated from the state that the one before has left. */
const setups: [string, () => Promise<void>, (loads: number, batches: number) => boolean][] = [
  ['one scope', addStateRules, (loads) => loads === 1],
  ['scopes selected among many', addSelectingRules, (loads, batches) => loads <= batches],
];
test.each(setups)(
  'batches evaluated ahead have the same effects as one after the other on %s',
  async (_name, addRules, isExpected) => {
    const contributedTo = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(changeOf, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 4 }),
        async (bodies) => {
          const effects = [];
          for (const how of ['ahead', 'from the state kept', 'from the state loaded']) {
            space = await line.addSpace();
            await addRules();
            const batches: ArrivalRow[][] = [];
            for (const batch of bodies)
              batches.push(
                await line.journal(
                  space
                    .messages(batch.length)
                    .map((row, index) => ({ ...row, body: Buffer.from(JSON.stringify(batch[index])) })),
                ),
              );
            sent = [];
            for (const [index, batch] of batches.entries()) {
              const upcoming = how === 'ahead' ? batches[index + 1] : undefined;
              expect(await line.pipeline.storeAndDecide(batch, () => upcoming)).toBe(true);
              // A turn that may have changed something.
              if (how === 'from the state loaded')
                await line.pipeline.withPipelineLock(
                  'state',
                  async () => {},
                  () => {},
                );
            }
            const loads = sent.filter((name) => name === 'severities-of').length;
            if (how === 'from the state loaded') expect(loads).toBe(batches.length);
            else expect(loads).toSatisfy((count: number) => isExpected(count, batches.length));
            effects.push(await effectsIn(space.spaceId));
          }
          expect(effects[0]).toEqual(effects[2]);
          expect(effects[1]).toEqual(effects[2]);
          for (const { name } of effects[0]!.contributions) contributedTo.add(name);
        },
      ),
      { numRuns: 25, seed: 7 },
    );
    expect([...contributedTo].sort()).toEqual(['cpu', 'disk']);
  },
);

async function addStateRules(): Promise<void> {
  const scopeId = await space.addScope();
  await addRulesThatChange((event) => ({ eventParams: [{ scopeId, ...event }] }));
}

/** More scopes than a batch loads without need. */
async function addSelectingRules(): Promise<void> {
  await query(
    `with scopes as (
       insert into resource (space_id, kind, id, body, created_at, updated_at)
       select $1, 'scope', gen_random_uuid(), jsonb_build_object('displayName', 'h' || n, 'remarks', '', 'recoveryTime', null,
         'thresholds', jsonb_build_object('warning', 1, 'incident', 10)), $2, $2
       from generate_series(0, ${maxPossibleScopes}) n
       returning id, body
     )
     insert into attribute (space_id, scope_id, name, value, created_at, updated_at)
     select $1, id, 'host', body->>'displayName', $2, $2 from scopes`,
    [space.spaceId, isoTime(line.clock.now())],
  );
  const attributes = [{ name: 'host', op: 'eq', value: { path: 'message.content.data.host' } }];
  await addRulesThatChange((event) => ({ conditionalEventParams: [{ attributes, ...event }] }));
}

/** Adds rules that change severities by a delta, or set what a fingerprint contributes. */
async function addRulesThatChange(toEvents: (event: object) => object): Promise<void> {
  const severityName = { path: 'message.content.data.name' };
  const rule = (status: string, event: object) =>
    space.addRule({
      flow: {
        steps: [
          {
            operatorId: 'text-compare',
            params: { source: 'message.content.data.status', comparison: 'equals', value: status },
          },
        ],
      },
      ...toEvents({ severityName, ...event }),
    });
  const fingerprint = { path: 'message.content.data.fingerprint' };
  await rule('up', { delta: 2 });
  await rule('down', { delta: -1 });
  await rule('firing', { mode: 'set', value: 2, fingerprint });
  await rule('resolved', { mode: 'set', value: 0, fingerprint });
}

async function effectsIn(spaceId: string) {
  const list = async (text: string) => (await query(text, [spaceId])).rows;
  return {
    events: await list(
      'select severity_name, delta, previous_severity, severity, status_before, status from event where space_id = $1 order by event_id',
    ),
    severities: await list('select name, value from severity where space_id = $1 order by name, value'),
    contributions: await list(
      'select name, fingerprint, value from severity_fingerprint where space_id = $1 order by name, fingerprint, value',
    ),
    scopes: await list(
      'select status, severity from scope_state where space_id = $1 order by severity, status',
    ),
  };
}
