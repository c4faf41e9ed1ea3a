// Which rows reading, writing and deleting items touch: those of their space, kind and parent alone.
import { muteSchedule } from '@yagura/core/alerthub/mute-schedule';
import { receiveSlot } from '@yagura/core/alerthub/receive-slot';
import { rule } from '@yagura/core/alerthub/rule';
import { scope } from '@yagura/core/alerthub/scope';
import { en } from '@yagura/core/i18n/en/all';
import { createTranslator } from '@yagura/core/i18n/translator';
import { type AnyResource, permissionFor } from '@yagura/core/resource/define-resource';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import { deriveSecret } from '../../src/common/secrets/server-secret.ts';
import type { Database } from '../../src/db/database.ts';
import { expandItems, readExpand } from '../../src/resource/expand.ts';
import { findItems } from '../../src/resource/find-items.ts';
import {
  assertParentVisible,
  findItem,
  insertItem,
  lockItem,
  reloadItem,
  removeItem,
  removeItems,
  updateItem,
  visibleIds,
} from '../../src/resource/item-store.ts';
import { createItemVisibility } from '../../src/resource/item-visibility.ts';
import { type ListRequest, readListQuery } from '../../src/resource/list/list-query.ts';
import type { Sql } from '../../src/resource/list/sql.ts';
import { bodyTable } from '../../src/resource/list/table.ts';
import { listItems } from '../../src/resource/list-items.ts';
import { removeNotes } from '../../src/resource/note-behaviour.ts';
import type { RequestContext } from '../../src/resource/request-context.ts';
import { createSealing } from '../../src/resource/sealing/sealed-fields.ts';
import { addSpace } from '../support/identity-server.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';

const t = createTranslator('en', en);
const scopes = bodyTable(scope);
const mutes = bodyTable(muteSchedule);

let store: TestStore;
let database: Database;
let clock: ManualClock;
let here: RequestContext;
let elsewhere: RequestContext;

beforeAll(async () => {
  store = (await createStoreWithTables('embedded'))!;
  database = await store.open();
}, 120_000);
afterAll(() => store?.remove());
beforeEach(async () => {
  clock = new ManualClock();
  const sealing = createSealing(deriveSecret(Buffer.alloc(32)));
  const visibility = createItemVisibility([]);
  const services = { database, clock, sealing, visibility, nextId: createIdSource(clock) };
  const contextOf = (spaceId: string) =>
    ({ services, spaceId, params: {}, t, language: 'en', may: () => true }) as unknown as RequestContext;
  here = contextOf(await addSpace(database, clock));
  elsewhere = contextOf(await addSpace(database, clock));
});

const under = (context: RequestContext, scopeId: string): RequestContext => ({
  ...context,
  params: { scopeId },
});
const addScope = (displayName: string, context = here) =>
  insertItem(database, context, scope, { displayName, thresholds: [] });
const addMute = (displayName: string, scopeId: string, context = here) =>
  insertItem(database, under(context, scopeId), muteSchedule, { displayName });
const rowsOf = async (context = here) =>
  (
    await database.query<Record<string, unknown>>(
      `select id, kind, parent_id, body->>'displayName' as name, unique_key, version::int, created_at, updated_at
       from resource where space_id = $1 order by id`,
      [context.spaceId],
    )
  ).rows;
const names = async (context = here) => (await rowsOf(context)).map(({ name }) => name);
const notNamed = (name: string) => (sql: Sql) => `r.body->>'displayName' <> ${sql.value(name, 'text')}`;

describe('an item', () => {
  test('is stored with its parent and what must be unique, and changed alone', async () => {
    const id = await addScope('first');
    const other = await addScope('other');
    const child = await addMute('night', id);
    await addScope('first', elsewhere);
    clock.advance(1000);
    await updateItem(database, here, scope, id, { displayName: 'changed' });
    const [at, created] = [isoTime(clock.now()), isoTime(clock.now() - 1000)];
    const base = { kind: 'scope', parent_id: null, version: 1, created_at: created, updated_at: created };
    expect(await rowsOf()).toEqual([
      { ...base, id, name: 'changed', unique_key: '["changed"]', version: 2, updated_at: at },
      { ...base, id: other, name: 'other', unique_key: '["other"]' },
      {
        ...base,
        id: child,
        kind: 'mute-schedule',
        parent_id: id,
        name: 'night',
        unique_key: expect.anything(),
      },
    ]);
    expect(await rowsOf(elsewhere)).toMatchObject([{ name: 'first', version: 1 }]);
    await updateItem(database, elsewhere, scope, other, { displayName: 'of another space' });
    await updateItem(database, here, muteSchedule, other, { displayName: 'of another kind' });
    expect(await names()).toEqual(['changed', 'other', 'night']);
  });

  test('is found by its id in its space, of its kind, under its parent and if the caller sees it', async () => {
    const id = await addScope('first');
    const child = await addMute('night', id);
    const otherParent = await addScope('second');
    const nameOf = async (found: ReturnType<typeof findItem>) => (await found)?.item.displayName;
    expect(await findItem(database, here, scope, scopes, id)).toMatchObject({
      item: { scopeId: id, displayName: 'first' },
      version: '1',
    });
    expect(await nameOf(findItem(database, here, scope, scopes, id, notNamed('second')))).toBe('first');
    expect(await nameOf(findItem(database, under(here, id), muteSchedule, mutes, child))).toBe('night');
    for (const none of [
      findItem(database, elsewhere, scope, scopes, id),
      findItem(database, here, scope, scopes, id, notNamed('first')),
      findItem(database, here, scope, scopes, child),
      findItem(database, here, scope, scopes, 'no id'),
      findItem(database, under(here, otherParent), muteSchedule, mutes, child),
      findItem(database, under(here, 'no id'), muteSchedule, mutes, child),
    ])
      expect(await none).toBeNull();
    await expect(reloadItem(database, here, scope, scopes, child)).rejects.toMatchObject({ status: 404 });
  });

  test('is locked by the same conditions', async () => {
    const id = await addScope('first');
    const child = await addMute('night', id);
    const otherParent = await addScope('second');
    expect(await lockItem(database, here, scope, id)).toMatchObject({
      version: '1',
      body: { displayName: 'first' },
    });
    expect(await lockItem(database, under(here, id), muteSchedule, child)).toMatchObject({ version: '1' });
    expect(await lockItem(database, elsewhere, scope, id)).toBeNull();
    expect(await lockItem(database, here, scope, child)).toBeNull();
    expect(await lockItem(database, here, scope, 'no id')).toBeNull();
    expect(await lockItem(database, under(here, otherParent), muteSchedule, child)).toBeNull();
  });

  test('has a parent that is there, in this space, and seen by the caller', async () => {
    const id = await addScope('first');
    const child = await addMute('night', id);
    const look = (context: RequestContext, source?: Parameters<typeof assertParentVisible>[3]) =>
      assertParentVisible(database, context, muteSchedule, source);
    const source = { resource: scope };
    const blind = {
      resource: scope,
      rowFilter: (_context: RequestContext, sql: Sql) => notNamed('first')(sql),
    };
    expect(await assertParentVisible(database, here, scope)).toBeNull();
    for (const parent of [undefined, source]) {
      expect(await look(under(here, id), parent)).toBe(id);
      for (const [context, parentId] of [
        [elsewhere, id],
        [here, child],
        [here, 'no id'],
      ] as const)
        await expect(look(under(context, parentId), parent)).rejects.toMatchObject({ status: 404 });
    }
    await expect(look(under(here, id), blind)).rejects.toMatchObject({ status: 404 });
  });

  test('is deleted with all that it holds, and nothing else is', async () => {
    const [id, kept] = [await addScope('first'), await addScope('kept')];
    const child = await addMute('night', id);
    await addMute('kept night', kept);
    const grandchild = await addMute('within', child);
    await addScope('of another space', elsewhere);
    expect(await removeItem(database, elsewhere, scope, id)).toEqual([{ kind: 'scope', id }]);
    expect(await names()).toHaveLength(5);
    const held = [child, grandchild].map((one) => ({ kind: 'mute-schedule', id: one }));
    expect(await removeItem(database, here, scope, id)).toEqual([{ kind: 'scope', id }, ...held]);
    expect(await names()).toEqual(['kept', 'kept night']);
    expect(await names(elsewhere)).toEqual(['of another space']);
  });

  test('that others refer to is deleted with them only', async () => {
    const refer = (id: string, to: string) =>
      database.query(
        `insert into reference (space_id, from_kind, from_id, to_kind, to_id) values ($1, 'scope', $2, 'scope', $3)`,
        [here.spaceId, id, to],
      );
    const [first, second] = [await addScope('first'), await addScope('second')];
    await refer(first, second);
    await refer(second, first);
    await expect(removeItem(database, here, scope, first)).rejects.toMatchObject({ status: 409 });
    await removeItems(database, here, scope, [first, second]);
    expect(await names()).toEqual([]);
    const { rows } = await database.query('select 1 from reference where space_id = $1', [here.spaceId]);
    expect(rows).toEqual([]);
  });
});

describe('several items', () => {
  const listed = async (query: Record<string, string>, context = here, rowFilter?: (sql: Sql) => string) => {
    const request: ListRequest = readListQuery(scope, query, t);
    const page = await listItems(context, scope, scopes, request, rowFilter);
    return { ...page, items: page.items.map(({ displayName }) => displayName) };
  };

  test('are listed in pages with their total, those that the caller sees in this space', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await addScope(name);
    await addScope('e', elsewhere);
    await addMute('f', await addScope('g'));
    const page = { total: 5, limit: 2, offset: 1 };
    expect(await listed({ sort: 'displayName', limit: '2', offset: '1' })).toEqual({
      ...page,
      items: ['b', 'c'],
    });
    expect(await listed({ filter: 'displayName gt "b"', sort: '-displayName' })).toMatchObject({
      ...{ total: 3, items: ['g', 'd', 'c'] },
    });
    expect(await listed({ sort: 'displayName' }, here, notNamed('a'))).toMatchObject({
      ...{ total: 4, items: ['b', 'c', 'd', 'g'] },
    });
    expect(await listed({}, elsewhere)).toEqual({ total: 1, limit: 10, offset: 0, items: ['e'] });
  });

  test('far down are listed without computing the columns of those before them', async () => {
    await database.query(
      `insert into resource (space_id, kind, id, body, created_at, updated_at)
       select $1, 'scope', gen_random_uuid(), jsonb_build_object('displayName', to_char(n, 'fm0000')), $2, $2
       from generate_series(1, 600) n`,
      [here.spaceId, isoTime(clock.now())],
    );
    await database.query('create temporary sequence computed');
    const table = bodyTable(scope, { select: `nextval('computed') as number` });
    const request = readListQuery(scope, { sort: 'displayName', limit: '5', offset: '550' }, t);
    const page = await listItems(here, scope, table, request, notNamed('0552'));
    expect(page.items.map(({ displayName }) => displayName)).toEqual([
      '0551',
      '0553',
      '0554',
      '0555',
      '0556',
    ]);
    expect(page.total).toBe(599);
    expect((await database.query('select last_value::int as value from computed')).rows).toEqual([
      { value: 5 },
    ]);
  });

  test('are found by their ids, of any parent, as far as the caller sees them', async () => {
    const [first, second] = [await addScope('first'), await addScope('second')];
    const children = [await addMute('one', first), await addMute('two', second)];
    const foreign = await addScope('foreign', elsewhere);
    const all = [first, second, foreign];
    const found = async (...given: Parameters<typeof findItems>) =>
      (await findItems(...given)).map(({ displayName }) => displayName).toSorted();
    expect(await found(here, scope, scopes, all, () => undefined)).toEqual(['first', 'second']);
    expect(await found(here, scope, scopes, all, notNamed('first'))).toEqual(['second']);
    expect(await found(here, muteSchedule, mutes, children, () => undefined)).toEqual(['one', 'two']);
    expect(await found(here, scope, scopes, [], () => undefined)).toEqual([]);
    const visible = (...given: [RequestContext, string[], (sql: Sql) => string | undefined]) =>
      visibleIds(given[0], scope, scopes, given[1], given[2]);
    expect((await visible(here, [...all, 'no id', children[0]!], () => undefined)).toSorted()).toEqual(
      [first, second].toSorted(),
    );
    expect(await visible(here, all, notNamed('first'))).toEqual([second]);
    expect(await visible(elsewhere, all, () => undefined)).toEqual([foreign]);
  });
});

describe('the items that others refer to', () => {
  test('are added as the caller sees them; what is empty, hidden or of another space is null', async () => {
    const [first, hidden] = [await addScope('first'), await addScope('hidden')];
    const foreign = await addScope('foreign', elsewhere);
    let calls = 0;
    const behaviour = {
      resource: scope,
      beforeCall: async () => void calls++,
      rowFilter: (_context: RequestContext, sql: Sql) => notNamed('hidden')(sql),
      present: (_context: RequestContext, { displayName }: Record<string, unknown>) => ({ displayName }),
    };
    const items = [first, null, hidden, foreign, first].map((scopeId, number) => ({ number, scopeId }));
    const expanded = await expandItems(here, items, { scope: 'scope' }, () => behaviour as never);
    expect(expanded.map(({ scope: target }) => target)).toEqual([
      ...[{ displayName: 'first' }, null, null, null, { displayName: 'first' }],
    ]);
    expect(expanded.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4]);
    expect(calls).toBe(1);
    expect(await expandItems(here, items, {}, () => behaviour as never)).toEqual(items);
  });

  test('are asked for by the relations of the resource, if the caller may read where they lead', () => {
    const required: string[] = [];
    const read = ($expand: unknown, resource: AnyResource | undefined = rule) => {
      const require = (permission: string) => void required.push(permission);
      return readExpand(resource, { ...here, require, query: { $expand } } as unknown as RequestContext);
    };
    expect([read(undefined), read('')]).toEqual([{}, {}]);
    expect(required).toEqual([]);
    expect(read(' receiveSlot ')).toEqual({ receiveSlot: 'receive-slot' });
    expect(required).toEqual([permissionFor(receiveSlot, 'show')]);
    for (const wrong of ['scope', 'receiveSlot,', 'constructor', ['receiveSlot', 'receiveSlot']])
      expect(() => read(wrong)).toThrow(expect.objectContaining({ status: 400 }));
    const withoutResource = { ...here, query: { $expand: 'receiveSlot' } } as unknown as RequestContext;
    expect(() => readExpand(undefined, withoutResource)).toThrow(expect.objectContaining({ status: 400 }));
  });
});

test('the notes of deleted parents are deleted in their space, and no other items', async () => {
  const [first, second] = [await addScope('first'), await addScope('second')];
  for (const id of [first, second]) await addMute('night', id);
  await removeNotes(database, muteSchedule, elsewhere.spaceId, [first]);
  await removeNotes(database, scope, here.spaceId, [first]);
  expect(await names()).toHaveLength(4);
  await removeNotes(database, muteSchedule, here.spaceId, [first]);
  expect((await rowsOf()).map(({ name, parent_id }) => [name, parent_id])).toEqual([
    ['first', null],
    ['second', null],
    ['night', second],
  ]);
});
