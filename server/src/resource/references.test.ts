// Tests references on a real database: which ids a write may reference, and what blocks a deletion.
import { action } from '@yagura/core/alerthub/action';
import { rule } from '@yagura/core/alerthub/rule';
import { trigger } from '@yagura/core/alerthub/trigger';
import { destination } from '@yagura/core/greac/destination';
import { en } from '@yagura/core/i18n/en/all';
import { createTranslator } from '@yagura/core/i18n/translator';
import { callflow } from '@yagura/core/pigeon/callflow';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createStoreWithTables, type TestStore } from '../../test/support/test-store.ts';
import type { Database } from '../db/database.ts';
import { assertNotReferenced, checkReferences, referencesIn, writeReferences } from './references.ts';
import type { RequestContext } from './request-context.ts';

const here = '0190a0a0-0000-7000-8000-00000000000a';
const elsewhere = '0190a0a0-0000-7000-8000-00000000000b';
const hidden = new Set<string>();
const context = {
  spaceId: here,
  language: 'en' as const,
  t: createTranslator('en', en),
  may: () => true,
  services: {
    visibility: {
      visibleIds: async (_db: unknown, _context: unknown, _resource: string, ids: readonly string[]) =>
        new Set(ids.filter((id) => !hidden.has(id))),
    },
  },
} as unknown as RequestContext;
const idOf = (number: number) => `0190a0a0-0000-7000-8000-${String(number).padStart(12, '0')}`;

let store: TestStore;
let database: Database;

beforeAll(async () => {
  store = (await createStoreWithTables('embedded'))!;
  database = await store.open();
});
afterAll(() => store.remove());
beforeEach(async () => {
  await database.query('delete from reference');
  await database.query('delete from resource');
  for (const spaceId of [here, elsewhere])
    await database.query(
      `insert into space (space_id, display_name, host, created_at, updated_at) values ($1::uuid, 'x', $1::uuid::text, now(), now()) on conflict do nothing`,
      [spaceId],
    );
});

/** Stores an item by number, with references to others. */
async function lay(kind: string, number: number, names: [string, number][] = [], spaceId = here) {
  await database.query(
    `insert into resource (space_id, kind, id, body, created_at, updated_at) values ($1, $2, $3, $4, now(), now())`,
    [spaceId, kind, idOf(number), JSON.stringify({ displayName: `${kind} ${number}` })],
  );
  const found = names.map(([resource, other]) => ({ path: 'x', resource, id: idOf(other) }));
  await writeReferences(database, spaceId, { kind, id: idOf(number) }, found);
}
const removing = (...things: [string, number][]) =>
  assertNotReferenced(
    database,
    context,
    things.map(([kind, number]) => ({ kind, id: idOf(number) })),
  );
const inUse = (detail: string) => expect.objectContaining({ status: 409, detail });

test('what names each other may go together, and not one without the other', async () => {
  await lay('scope', 1);
  await lay('rule', 2, [['scope', 1]]);
  await expect(removing(['scope', 1], ['rule', 2])).resolves.toBeUndefined();
  await expect(removing(['rule', 2])).resolves.toBeUndefined();
  await expect(removing(['scope', 1])).rejects.toEqual(inUse('used by rule "rule 2"'));
});

test('what another space names, another kind of the same id, and a name that was taken back do not count', async () => {
  await lay('scope', 1);
  await lay('rule', 2, [['scope', 1]], elsewhere);
  await lay('rule', 3, [['action', 1]]);
  await expect(removing(['scope', 1])).resolves.toBeUndefined();
  await lay('rule', 4, [['scope', 1]]);
  await writeReferences(database, elsewhere, { kind: 'rule', id: idOf(4) }, []);
  await writeReferences(database, here, { kind: 'trigger', id: idOf(4) }, []);
  await expect(removing(['scope', 1])).rejects.toThrow();
  await writeReferences(database, here, { kind: 'rule', id: idOf(4) }, []);
  await expect(removing(['scope', 1])).resolves.toBeUndefined();
});

test('five that use a thing are named, and of more it is said that there are', async () => {
  await lay('scope', 1);
  for (const number of [2, 3, 4, 5, 6]) await lay('rule', number, [['scope', 1]]);
  const five = [2, 3, 4, 5, 6].map((number) => `rule "rule ${number}"`).join(', ');
  await expect(removing(['scope', 1])).rejects.toEqual(inUse(`used by ${five}`));
  await lay('rule', 7, [['scope', 1]]);
  await expect(removing(['scope', 1])).rejects.toEqual(inUse(`used by ${five} and more`));
});

test('what references several of the deleted items is named once', async () => {
  await lay('kroker', 1);
  await lay('credential', 2);
  await lay('destination', 3, [
    ['kroker', 1],
    ['credential', 2],
  ]);
  await expect(removing(['kroker', 1], ['credential', 2])).rejects.toEqual(
    inUse('used by destination "destination 3"'),
  );
});

test('settings without a name are named by the item that they belong to', async () => {
  await lay('ksocket-slot', 1);
  await lay('network', 2);
  await database.query(
    `insert into resource (space_id, kind, id, parent_id, body, created_at, updated_at)
     values ($1, 'scan-settings', $2, $2, '{}', now(), now())`,
    [here, idOf(2)],
  );
  await writeReferences(database, here, { kind: 'scan-settings', id: idOf(2) }, [
    { path: 'perKsocket.0.ksocketSlotId', resource: 'ksocket-slot', id: idOf(1) },
  ]);
  await expect(removing(['ksocket-slot', 1])).rejects.toEqual(inUse('used by scan settings "network 2"'));
});

test('items of the same name are told apart by what they belong to', async () => {
  await lay('action', 1);
  for (const [number, scope] of [
    [4, 2],
    [5, 3],
  ] as const) {
    await lay('scope', scope);
    await database.query(
      `insert into resource (space_id, kind, id, parent_id, body, created_at, updated_at)
       values ($1, 'trigger', $2, $3, '{"displayName":"page"}', now(), now())`,
      [here, idOf(number), idOf(scope)],
    );
    const found = [{ path: 'actionId', resource: 'action', id: idOf(1) }];
    await writeReferences(database, here, { kind: 'trigger', id: idOf(number) }, found);
  }
  await expect(removing(['action', 1])).rejects.toEqual(
    inUse('used by trigger "page" of "scope 2", trigger "page" of "scope 3"'),
  );
});

test('of what may not be listed the name is not said', async () => {
  await lay('scope', 1);
  await lay('rule', 2, [['scope', 1]]);
  await lay('action', 3, [['scope', 1]]);
  const may = (permission: string) => permission !== `${rule.permission}:list`;
  const removed = [{ kind: 'scope', id: idOf(1) }];
  await expect(assertNotReferenced(database, { ...context, may }, removed)).rejects.toEqual(
    inUse('used by action "action 3", one rule that you cannot see'),
  );
});

test('of items of a list that the caller does not see the name is not said', async () => {
  await lay('user-group', 1);
  await lay('destination', 2, [['user-group', 1]]);
  await lay('destination', 3, [['user-group', 1]]);
  hidden.add(idOf(3));
  await expect(removing(['user-group', 1])).rejects.toEqual(
    inUse('used by destination "destination 2", one destination that you cannot see'),
  );
  hidden.clear();
});

test('only what is there, of that kind and in this space, may be named; each wrong place is said', async () => {
  await lay('scope', 1);
  await lay('scope', 2, [], elsewhere);
  const names = (...found: [string, string, number][]) =>
    checkReferences(
      database,
      context,
      found.map(([path, resource, number]) => ({ path, resource, id: idOf(number).toUpperCase() })),
    );
  await expect(names(['a', 'scope', 1], ['b', 'scope', 1])).resolves.toBeUndefined();
  await expect(
    names(['a', 'scope', 1], ['b.0', 'scope', 2], ['c', 'rule', 1], ['d', 'user', 1]),
  ).rejects.toEqual(
    expect.objectContaining({
      status: 400,
      invalidParams: ['b.0', 'c', 'd'].map((name) => ({ name, reason: expect.stringContaining(' ') })),
    }),
  );
});

test('references are found at any depth, each with its place', () => {
  const found = (resource: AnyResource, input: Record<string, unknown>) =>
    referencesIn(resource, input).map(({ path, resource: kind, id }) => `${path} ${kind} ${id}`);
  expect(
    found(destination, {
      ...{ krokerId: 'k', credentialId: null, displayName: 'name' },
      members: { userIds: ['u1', 'u2', null, 7], userGroupIds: 'none' },
      fileTransfer: { credentialId: 'c' },
    }),
  ).toEqual([
    ...['krokerId kroker k', 'members.userIds.0 user u1', 'members.userIds.1 user u2'],
    'fileTransfer.credentialId credential c',
  ]);
  expect(found(callflow, { contacts: [{ contactId: 'a' }, 'text', { contactId: 'b' }] })).toEqual([
    ...['contacts.0.contactId contact a', 'contacts.2.contactId contact b'],
  ]);
  const parameters = { callflowId: 'f', ksocketSlotId: 's' };
  expect(found(action, { kind: 'pigeon', parameters })).toEqual(['parameters.callflowId callflow f']);
  expect(found(action, { kind: 'webhookOnPremises', parameters })).toEqual([
    'parameters.ksocketSlotId ksocket-slot s',
  ]);
  expect(found(action, { kind: 'unknown', parameters })).toEqual([]);
  expect(found(action, { kind: 'pigeon', parameters: 'text' })).toEqual([]);
});

test('a field may name another kind of item than its usual one', () => {
  const target = (kind: unknown) => referencesIn(trigger, { target: { kind, id: 'x' } });
  expect(target('runbook')).toEqual([{ path: 'target.id', resource: 'runbook', id: 'x' }]);
  expect(target(undefined)).toEqual([{ path: 'target.id', resource: 'action', id: 'x' }]);
});

test('users are looked for among the persons of the space', async () => {
  for (const [number, spaceId] of [
    [1, here],
    [2, elsewhere],
  ] as const)
    await database.query(
      `insert into person (user_id, space_id, email, display_name, created_at, updated_at)
       values ($1::uuid, $2, $1::uuid::text, 'x', now(), now())`,
      [idOf(number), spaceId],
    );
  const names = (...numbers: number[]) =>
    checkReferences(
      database,
      context,
      numbers.map((number) => ({ path: `u${number}`, resource: 'user', id: idOf(number) })),
    );
  await expect(names()).resolves.toBeUndefined();
  await expect(names(1)).resolves.toBeUndefined();
  await expect(names(1, 2)).rejects.toMatchObject({ invalidParams: [{ name: 'u2' }] });
});
