// Every resource fulfills the API contract over HTTP, on both database engines.
import { resources } from '@yagura/core/all';
import type { Page } from '@yagura/core/http/page';
import type { ProblemBody } from '@yagura/core/http/problem';
import { send, type Transport } from '@yagura/core/http/transport';
import type { PathParams } from '@yagura/core/resource/client';
import {
  type AnyResource,
  editMethods,
  fillPath,
  inputFields,
  itemFields,
  type Verb,
} from '@yagura/core/resource/define-resource';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noSpace } from '../../src/common/spaces/space-shares.ts';
import type { Change } from '../../src/db/change-bus.ts';
import { type ApiCall, createApiCall, transportForAllCalls } from '../support/api-request.ts';
import {
  catalogues,
  createItem,
  exampleInput,
  type Fixtures,
  hasOwnTest,
  inputs,
  seedFixtures,
} from '../support/seed-fixtures.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Item = Record<string, unknown>;

const nobody = '0190a0a0-0000-7000-8000-000000000000';
/** Parts covered by the contract, except those with their own tests. */
const has = (resource: AnyResource, verb: Verb) =>
  resource.verbs.includes(verb) && !hasOwnTest(resource, verb);
const title = (resource: AnyResource) =>
  resource.name === 'severity' ? 'name' : (resource.unique[0] ?? 'displayName');
/** Created by users: with POST, or with PUT by name. */
const isMade = (resource: AnyResource) =>
  inputs[resource.name] && (resource.verbs.includes('create') || resource.name === 'attribute');

const withUpperCaseIds = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value).replace(/"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g, (id) => id.toUpperCase()),
  );

/** The value at a dotted path; null when there is none. */
const fieldOf = (item: Item, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Item | null)?.[name] ?? null, item);

test.each(
  resources.filter((one) => has(one, 'create')).map((resource) => [resource.name, resource] as const),
)('%s has an example', (_name, resource) => {
  expect(() => exampleInput(resource, 'example', {})).not.toThrow();
});

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let fixtures: Fixtures;
  let callApi: ApiCall;
  let caller: Transport | undefined;
  const everybody = () => {
    caller ??= transportForAllCalls(server!.transportAs('privileged'), () => server!.signedIn('privileged'));
    return caller;
  };

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (!server) return;
    fixtures = await seedFixtures(server);
    callApi = createApiCall(everybody());
    for (const resource of resources.filter((one) => has(one, 'list') && isMade(one))) {
      for (const label of ['delta', 'Alpha', 'charlie'])
        await createItem(everybody(), resource, label, fixtures.params);
    }
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const pathOf = (resource: AnyResource, change: PathParams = {}) =>
    fillPath(resource.path, { ...fixtures.params, ...change });
  const itemPathOf = (resource: AnyResource, id: string) =>
    fillPath(resource.itemPath, { ...fixtures.params, [resource.id]: id });
  const listed = async (resource: AnyResource, query: Record<string, string | number> = {}) => {
    const transport = everybody();
    return (
      await send<Page<Item>>(transport, {
        method: 'GET',
        path: pathOf(resource),
        query: { limit: 1000, ...query },
      })
    ).data;
  };
  /** What `call` gives while the database stores only rows of a table that meet a condition. */
  const whileRefused = async <T>(table: string, condition: string, call: () => Promise<T>): Promise<T> => {
    const { database } = server!.services;
    await database.query(`alter table ${table} add constraint refused check (${condition}) not valid`);
    return call().finally(() => database.query(`alter table ${table} drop constraint refused`));
  };
  const inside = (resource: AnyResource) => resource.path.startsWith('/api/internal/');

  describe.each(resources.filter((one) => has(one, 'list')))('list of $name', (resource) => {
    const sortable = [...new Set([...resource.sortable, resource.id])];
    const filterable = [...new Set([...resource.filterable, resource.id])];

    test('comes in pages that do not overlap and add up', async () => {
      const whole = await listed(resource);
      expect(whole.total).toBeGreaterThanOrEqual(3);
      expect(whole.items).toHaveLength(whole.total);
      const pages: unknown[] = [];
      for (let offset = 0; offset < whole.total; offset += 2) {
        const page = await listed(resource, { limit: 2, offset });
        expect(page).toMatchObject({ total: whole.total, limit: 2, offset });
        expect(page.items.length).toBe(Math.min(2, whole.total - offset));
        pages.push(...page.items.map((item) => item[resource.id]));
      }
      expect(pages).toEqual(whole.items.map((item) => item[resource.id]));
      expect((await listed(resource, { offset: whole.total })).items).toEqual([]);
      if (!catalogues.includes(resource.name)) {
        const usual = await callApi('GET', pathOf(resource));
        expect(usual.data).toMatchObject({ limit: 10, offset: 0 });
      }
    });

    test.each(sortable)('sorts by %s both ways', async (field) => {
      const up = (await listed(resource, { sort: field })).items;
      const down = (await listed(resource, { sort: `-${field}` })).items;
      const ids = (items: Item[]) => items.map((item) => item[resource.id]);
      expect(ids(down)).toEqual(ids(up).reverse());
      // Addresses are in the order of their numbers, and so are nodes, which may be named by their address.
      const isNodeName = ['managed-node', 'node'].includes(resource.name) && field === 'displayName';
      const order = new Intl.Collator('und', { numeric: field === 'addr' || isNodeName }).compare;
      const values = up.map((item) => item[field]);
      for (const [at, right] of values.slice(1).entries()) {
        const left = values[at];
        if (left === null || left === right) continue;
        if (right === null) throw new Error(`nothing stands after ${left}`);
        if (typeof left === 'string') expect(order(left, right as string)).toBeLessThanOrEqual(0);
        else expect(Number(left)).toBeLessThanOrEqual(Number(right));
      }
    });

    test.each(filterable)('filters by %s', async (field) => {
      const whole = (await listed(resource)).items;
      const value = fieldOf(whole[0]!, field);
      const literal = JSON.stringify(value);
      const same = whole.filter((item) => fieldOf(item, field) === value);
      const ids = (items: Item[]) => items.map((item) => item[resource.id]);
      expect(
        ids((await listed(resource, { filter: `${field} eq ${literal}` })).items),
        `If ${field} is computed by \`present\`, leave it out of \`filterable\` and \`sortable\` of ${resource.name}, or give it SQL in \`columns\` of its table`,
      ).toEqual(ids(same));
      expect((await listed(resource, { filter: `${field} ne ${literal}` })).total).toBe(
        whole.length - same.length,
      );
      expect((await listed(resource, { filter: `not (${field} eq ${literal})` })).total).toBe(
        whole.length - same.length,
      );
    });

    test.each([
      ['filter', 'nonsense eq 1'],
      ['filter', '__proto__ pr'],
      ['filter', 'constructor eq "x"'],
      ['filter', "'; drop table resource; --"],
      ['filter', `${'('.repeat(40)}${resource.id} pr${')'.repeat(40)}`],
      ['filter', `${resource.id} eq "${'x'.repeat(9000)}"`],
      ['sort', 'nonsense'],
      ['sort', 'displayName; drop table resource'],
      ['limit', '0'],
      ['limit', '1001'],
      ['limit', '1e2'],
      ['offset', '-1'],
      ['offset', '99999999999999999999'],
    ])('refuses %s=%s', async (name, value) => {
      const reply = await callApi('GET', `${pathOf(resource)}?${new URLSearchParams({ [name]: value })}`);
      expect(reply).toMatchObject({ status: 400, type: 'application/problem+json' });
      expect((reply.data as ProblemBody).invalidParams).toEqual([expect.objectContaining({ name })]);
    });

    test.each([
      `%s eq "' or 1=1 --"`,
      '%s eq "\\u0000"',
      '%s co "\\u0000"',
      '%s eq "\\ud800"',
      '%s co "%%_\\\\"',
      '%s sw "100%%"',
      '%s gt 1e999',
      '%s eq 123456789012345678901234567890',
      '%s ge true',
      '%s lt null',
      '%s ge "0000-01-01T00:00:00Z"',
      '%s ge "2026-02-31"',
      '%s ge "2026-01-01T00:00:00+23:00"',
      '%s ge "9999-12-31T23:59:59.999999999Z"',
    ])('is not upset by %s', async (pattern) => {
      const filter = filterable
        .map((field) => pattern.replaceAll('%s', field).replaceAll('%%', '%'))
        .join(' or ');
      const reply = await callApi('GET', `${pathOf(resource)}?${new URLSearchParams({ filter })}`);
      expect([200, 400], `${filter} gave ${reply.text}`).toContain(reply.status);
      if (reply.status === 400)
        expect((reply.data as ProblemBody).invalidParams).toMatchObject([{ name: 'filter' }]);
    });
  });

  describe.each(resources.filter((one) => has(one, 'create')))('create of $name', (resource) => {
    test('gives 201 with the item and refuses every field of a wrong type by name', async () => {
      const input = exampleInput(resource, `new ${resource.name}`, fixtures.params);
      const made = await callApi('POST', pathOf(resource), input);
      expect(made.status).toBe(201);
      expect(made.data).toMatchObject(input);
      for (const [name, fields] of Object.entries(inputFields(resource))) {
        if (fields.kind === 'json') continue;
        const wrong = ['object', 'list', 'key-values', 'variant'].includes(fields.kind) ? 7 : { wrong: [] };
        const reply = await callApi('POST', pathOf(resource), { ...input, [name]: wrong });
        expect(reply, name).toMatchObject({ status: 400, type: 'application/problem+json' });
        const named = (reply.data as ProblemBody).invalidParams!.map((param) => param.name);
        expect(named.every((path) => path === name || path.startsWith(`${name}.`))).toBe(true);
        expect(named).not.toEqual([]);
      }
    });

    test.each(['[]', 'null', '7', '"text"', ''])('refuses the body %j', async (body) => {
      const reply = await callApi('POST', pathOf(resource), undefined, { raw: body });
      expect(reply).toMatchObject({ status: 400, type: 'application/problem+json' });
    });

    test('gives the first reply for the same Idempotency-Key, and 409 for another body', async () => {
      const body = exampleInput(resource, `once ${resource.name}`, fixtures.params);
      const headers = { 'idempotency-key': `key of ${resource.name}` };
      const before = (await listed(resource)).total;
      const first = await callApi('POST', pathOf(resource), body, { headers });
      const again = await callApi('POST', pathOf(resource), body, { headers });
      expect(first.status).toBe(201);
      expect(again.status).toBe(201);
      const { token: _token, ...lasting } = first.data as Item;
      expect(again.data).toEqual(lasting);
      expect((await listed(resource)).total).toBe(before + 1);
      const other = exampleInput(resource, 'another', fixtures.params);
      if (resource.name === 'event') other.delta = 2;
      expect((await callApi('POST', pathOf(resource), other, { headers })).status).toBe(409);
      expect((await listed(resource)).total).toBe(before + 1);
    });

    test('stores ids given in upper case in lower case', async () => {
      const input = exampleInput(resource, `upper ${resource.name}`, fixtures.params);
      const upper = Object.entries(input).map(([name, value]) => [
        name,
        // The ids of plain JSON are checked by the behavior.
        inputFields(resource)[name]!.kind === 'json' ? value : withUpperCaseIds(value),
      ]);
      const made = await callApi('POST', pathOf(resource), Object.fromEntries(upper));
      expect(made).toMatchObject({ status: 201, data: input });
    });

    if (resource.parent)
      test('is announced with the id of its parent', async () => {
        const told: Change[] = [];
        const stop = server!.services.changes.listen((changes) => told.push(...changes));
        const made = await createItem(everybody(), resource, `told ${resource.name}`, fixtures.params);
        stop();
        const parent = resources.find((one) => one.name === resource.parent)!;
        expect(told).toContainEqual(
          expect.objectContaining({
            ...{ resource: resource.name, op: 'create', id: made[resource.id] },
            scope: fixtures.params[parent.id],
          }),
        );
      });

    test('is stored with its audit record and the reply for its Idempotency-Key, or not at all', async () => {
      const body = exampleInput(resource, `whole ${resource.name}`, fixtures.params);
      const headers = { 'idempotency-key': `whole ${resource.name}` };
      const create = () => callApi('POST', pathOf(resource), body, { headers });
      const before = (await listed(resource)).total;
      for (const [table, condition] of [
        ['audit_record', `action <> 'create'`],
        ['idempotency', 'status <> 201'],
      ]) {
        expect((await whileRefused(table!, condition!, create)).status).toBe(500);
        expect((await listed(resource)).total).toBe(before);
      }
      expect((await create()).status).toBe(201);
      expect((await listed(resource)).total).toBe(before + 1);
    });

    if (resource.unique.length > 0 || resource.name === 'severity')
      test('refuses a name that is taken', async () => {
        const input = exampleInput(resource, 'Alpha', fixtures.params);
        const reply = await callApi('POST', pathOf(resource), input);
        expect(reply).toMatchObject({ status: 409, type: 'application/problem+json' });
        expect((reply.data as ProblemBody).invalidParams).toEqual([
          // A translated text, not a message key.
          { name: title(resource), reason: expect.stringContaining(' ') },
        ]);
      });

    test('takes no character that a store cannot keep, and says which field holds it', async () => {
      const texts = Object.entries(inputFields(resource)).filter(([, fields]) =>
        ['text', 'long-text', 'template'].includes(fields.kind),
      );
      for (const [name] of texts) {
        for (const text of ['a\u0000b', 'a\ud800b']) {
          const input = { ...exampleInput(resource, `odd ${resource.name}`, fixtures.params), [name]: text };
          const reply = await callApi('POST', pathOf(resource), input);
          expect(reply, `${name} ${JSON.stringify(text)}`).toMatchObject({ status: 400 });
          expect((reply.data as ProblemBody).invalidParams).toMatchObject([{ name }]);
        }
      }
    });
  });

  describe.each(resources.filter((one) => has(one, 'edit') && !inside(one)))('edit of $name', (resource) => {
    test.each(editMethods(resource))('changes the item by %s, guarded by its ETag', async (method) => {
      const transport = everybody();
      const made = resource.singleton
        ? {}
        : await createItem(transport, resource, `${method} ${resource.name}`, fixtures.params);
      const path = itemPathOf(resource, String(made[resource.id] ?? '') || 'self');
      const shown = await callApi('GET', path);
      expect(shown.status).toBe(200);
      const whole = exampleInput(resource, `ed ${method} ${resource.name}`.slice(0, 30), fixtures.params);
      const names = Object.keys(inputFields(resource));
      const change = method === 'PATCH' ? { displayName: whole.displayName } : whole;
      expect((await callApi(method, path, change, { headers: { 'if-match': '"stale"' } })).status).toBe(412);
      const edit = () => callApi(method, path, change, { headers: { 'if-match': shown.etag! } });
      const unrecorded = await whileRefused('audit_record', `action <> 'edit'`, edit);
      expect(unrecorded.status, 'an edit that cannot be recorded').toBe(500);
      expect((await callApi('GET', path)).data).toEqual(shown.data);
      const edited = await edit();
      expect(edited.status).toBe(200);
      expect(edited.data).toMatchObject(change);
      expect(edited.etag).not.toBe(shown.etag);
      const after = await callApi('GET', path);
      expect(after.data).toEqual(edited.data);
      expect(after.etag).toBe(edited.etag);
      expect((await callApi(method, path, change, { headers: { 'if-match': shown.etag! } })).status).toBe(
        412,
      );
      expect((await callApi(method, path, change)).status).toBe(200);
      const wrong = await callApi(method, path, { ...change, [names[0]!]: { wrong: [] } });
      expect((wrong.data as ProblemBody).invalidParams).toMatchObject([{ name: names[0] }]);
      expect(wrong.status).toBe(400);
    });
  });

  describe.each(resources.filter((one) => has(one, 'remove')))('removal of $name', (resource) => {
    test('gives empty text and takes the item away, guarded by its ETag', async () => {
      const made = await createItem(everybody(), resource, `gone ${resource.name}`, fixtures.params);
      const path = itemPathOf(resource, String(made[resource.id]));
      const before = (await listed(resource)).total;
      const refused = await callApi('DELETE', path, undefined, { headers: { 'if-match': '"stale"' } });
      expect(refused.status).toBe(412);
      expect((await listed(resource)).total).toBe(before);
      const remove = () => callApi('DELETE', path);
      const unrecorded = await whileRefused('audit_record', `action <> 'remove'`, remove);
      expect(unrecorded.status, 'a removal that cannot be recorded').toBe(500);
      const gone = await remove();
      expect(gone).toMatchObject({ status: 200, type: 'text/plain', text: '' });
      expect((await listed(resource)).total).toBe(before - 1);
      expect((await callApi('DELETE', path)).status).toBe(404);
    });
  });

  describe.each(resources)('$name', (resource) => {
    test('is not found under an id that nothing has', async () => {
      if (resource.singleton || inside(resource)) return;
      const calls = [
        ...(resource.verbs.includes('show') ? [['GET', undefined] as const] : []),
        ...(resource.verbs.includes('edit') && resource.name !== 'attribute'
          ? editMethods(resource).map(
              (way) => [way, exampleInput(resource, 'none', fixtures.params)] as const,
            )
          : []),
        ...(resource.verbs.includes('remove') ? [['DELETE', undefined] as const] : []),
      ];
      for (const [method, body] of calls) {
        for (const id of [nobody, 'not-a-uuid', "';--", '\u0000', '%', '日本語'.repeat(20)]) {
          const reply = await callApi(method, itemPathOf(resource, id), body);
          expect(reply, `${method} ${id}`).toMatchObject({ status: 404, type: 'application/problem+json' });
        }
      }
    });

    if (resource.parent && !inside(resource))
      test('is not found under a parent that nothing has', async () => {
        const parent = resources.find((one) => one.name === resource.parent)!.id;
        for (const id of [nobody, 'not-a-uuid']) {
          if (resource.verbs.includes('list'))
            expect((await callApi('GET', pathOf(resource, { [parent]: id }))).status).toBe(404);
          if (resource.verbs.includes('create')) {
            const input = exampleInput(resource, 'orphan', fixtures.params);
            expect((await callApi('POST', pathOf(resource, { [parent]: id }), input)).status).toBe(404);
          }
        }
      });

    test('shows each item as it lists it', async () => {
      if (!has(resource, 'list') || !has(resource, 'show')) return;
      const names = Object.keys(itemFields(resource));
      for (const item of (await listed(resource, { limit: 3 })).items) {
        const shown = await callApi('GET', itemPathOf(resource, String(item[resource.id])));
        expect(shown.status).toBe(200);
        expect(shown.etag).toMatch(/^"[\w-]+"$/);
        expect(shown.data).toMatchObject(item);
        expect(names).toEqual(expect.arrayContaining(Object.keys(shown.data as Item)));
      }
    });
  });

  describe('what is still in use', () => {
    const users = [
      { kind: 'receive-slot', id: 'receiveSlotId', user: 'rule "ground"' },
      { kind: 'action', id: 'actionId', user: 'runbook "ground"' },
      { kind: 'scope', id: 'scopeId', user: 'rule "ground"' },
    ];
    test.each(users)('a $kind is not removed, and the reply names its user', async ({ kind, id, user }) => {
      const resource = resources.find((one) => one.name === kind)!;
      const reply = await callApi('DELETE', itemPathOf(resource, fixtures.params[id]!));
      expect(reply.status).toBe(409);
      expect((reply.data as ProblemBody).detail).toContain(user);
    });

    test.each([
      ['rule', 'receiveSlotId', (body: Item) => ({ ...body, receiveSlotId: nobody })],
      [
        'rule',
        'eventParams.0.scopeId',
        (body: Item) => ({ ...body, eventParams: [{ scopeId: nobody, delta: 1 }] }),
      ],
      ['trigger', 'target.id', (body: Item) => ({ ...body, target: { kind: 'action', id: nobody } })],
    ])('a %s does not name what is not there: %s', async (kind, name, change) => {
      const resource = resources.find((one) => one.name === kind)!;
      const reply = await callApi(
        'POST',
        pathOf(resource),
        change(exampleInput(resource, 'dangling', fixtures.params)),
      );
      expect(reply.status).toBe(400);
      expect((reply.data as ProblemBody).invalidParams).toMatchObject([{ name }]);
    });
  });

  describe('prepared statements', () => {
    /** Texts that the connections keep prepared. Transactions at the same time are on different connections. */
    const preparedTexts = async () => {
      const { database } = server!.services;
      const found = await Promise.all(
        Array.from({ length: 4 }, () =>
          database.transaction((tx) =>
            tx.query<{ statement: string }>('select statement from pg_prepared_statements'),
          ),
        ),
      );
      return new Set(found.flatMap(({ rows }) => rows.map(({ statement }) => statement)));
    };

    test('are those of lists and items without a value', async () => {
      for (const resource of resources.filter(
        (one) => one.parent === undefined && one.verbs.includes('show'),
      ))
        for (const call of Object.values(resource.calls).filter(
          (one) => one.method === 'GET' && one.on === 'item',
        )) {
          const id = fixtures.params[resource.id];
          if (id) await callApi('GET', itemPathOf(resource, id) + call.path);
        }
      const texts = [...(await preparedTexts())];
      expect(texts.filter((text) => text.includes('from resource r') && text.includes('limit'))).not.toEqual(
        [],
      );
      // Claims of jobs name those of no space by a constant.
      const withId = texts.filter((text) =>
        /'[^']*[0-9a-f]{8}-[0-9a-f]{4}-/.test(text.replaceAll(noSpace, '')),
      );
      expect(withId).toEqual([]);
    });

    test('do not grow with the orders, filters and searches of callers', async () => {
      const resource = resources.find((one) => one.name === 'scope')!;
      await listed(resource);
      const before = await preparedTexts();
      const orders = resource.sortable.flatMap((field) => [field, `-${field}`]);
      for (const sort of [...orders, 'displayName,-createdAt']) await listed(resource, { sort });
      for (const filter of ['displayName eq "a"', 'displayName eq "b" or displayName co "c"'])
        await listed(resource, { filter });
      const added = [...(await preparedTexts())].filter((text) => !before.has(text));
      expect(added.filter((text) => text.includes("r.kind = 'scope'"))).toEqual([]);
    });
  });
});
