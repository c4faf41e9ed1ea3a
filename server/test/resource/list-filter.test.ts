// Filters and limits in SQL match core's in-memory filter, including wildcards in texts and boundary values.
import type { Page } from '@yagura/core/http/page';
import { matchesFilter, parseFilter } from '@yagura/core/query/filter';
import { seededRandom } from '@yagura/fixtures/samples/seeded-random';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { post } from '../support/post.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Item = Record<string, unknown>;

const api = '/api/apps/alerthub';
const names = [
  '100%',
  '100x',
  '100%x',
  'a_b',
  'axb',
  'A_B',
  'back\\slash',
  'backslash',
  'alpha',
  'Alpha',
  'ALPHABET',
  'beta',
  '%',
  '東京',
];
const parts = ['100%', '%', '_', 'a_', '_b', 'B', '\\', 'alpha', 'BET', 'ha', 'x', '東', '100%x', 'alphabet'];
const textOps = ['co', 'sw', 'ew'];
const orderOps = ['gt', 'ge', 'lt', 'le'];
const sameOps = ['eq', 'ne'];

interface Case {
  name: string;
  path: string;
  id: string;
  texts: string[];
  /** Fields with an order, besides the texts. */
  ordered: string[];
  /** Fields that only support equality. */
  same: string[];
}

const cases: Case[] = [
  {
    name: 'scopes',
    path: `${api}/scopes`,
    id: 'scopeId',
    texts: ['displayName'],
    ordered: ['severity', 'lastEventAt', 'createdAt'],
    same: ['scopeId', 'status'],
  },
  {
    name: 'rules',
    path: `${api}/rules`,
    id: 'ruleId',
    texts: ['displayName'],
    ordered: ['createdAt'],
    same: ['disabled', 'receiveSlotId', 'ruleId'],
  },
  {
    // Scanned in chunks when a filter searches inside texts.
    name: 'messages',
    path: `${api}/message/list`,
    id: 'messageId',
    texts: ['summary'],
    ordered: ['size', 'receivedAt'],
    same: ['messageId', 'receiveSlotId'],
  },
];

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let callApi: ApiCall;

  const list = async (path: string, query: Record<string, string>) => {
    const reply = await callApi('GET', `${path}?${new URLSearchParams({ limit: '1000', ...query })}`);
    expect(reply.status, `${JSON.stringify(query)}: ${reply.text}`).toBe(200);
    return reply.data as Page<Item>;
  };
  const make = async (path: string, body: Item) => {
    const reply = await callApi('POST', `${api}/${path}`, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.data as Record<string, string>;
  };

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (!server) return;
    callApi = createApiCall(server.transportAs('privileged'));
    const slots = [
      await make('receive-slots', { displayName: 'one' }),
      await make('receive-slots', { displayName: 'two' }),
    ];
    for (const [at, displayName] of names.entries()) {
      const { scopeId } = await make('scopes', { displayName });
      await make('rules', {
        displayName,
        receiveSlotId: slots[at % 2]!.receiveSlotId,
        disabled: at % 3 === 0,
        eventParams: [],
      });
      // Some scopes never had an event.
      if (at % 4 !== 0) await make(`scopes/${scopeId}/events`, { delta: at % 3 });
      await post(slots[at % 2]!.primary!, JSON.stringify({ title: displayName, n: 'x'.repeat(at % 5) }));
      clock.advance(1000);
    }
    await server.settled();
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  describe.each(cases)('$name', ({ path, id, texts, ordered, same }) => {
    const check = async (rows: Item[], filter: string) => {
      const tree = parseFilter(filter);
      const wanted = rows.filter((row) => matchesFilter(tree, row)).map((row) => row[id]);
      const page = await list(path, { filter });
      expect(page.items.map((item) => item[id]).sort(), filter).toEqual(wanted.sort());
      expect(page.total, filter).toBe(wanted.length);
      return wanted.length;
    };
    const literal = (value: unknown) => JSON.stringify(value);

    test('each comparison with each value that is there, and with parts of texts', async () => {
      const { items: rows } = await list(path, {});
      expect(rows).toHaveLength(names.length);
      const valuesOf = (field: string) => [...new Set(rows.map((row) => row[field]))];
      const filters = [
        ...texts.flatMap((field) => [
          ...textOps.flatMap((op) => parts.map((part) => `${field} ${op} ${literal(part)}`)),
          ...[...orderOps, ...sameOps].flatMap((op) =>
            names.map((name) => `${field} ${op} ${literal(name)}`),
          ),
        ]),
        ...ordered.flatMap((field) =>
          valuesOf(field)
            .slice(0, 5)
            .filter((value) => value !== null)
            .flatMap((value) => [...orderOps, ...sameOps].map((op) => `${field} ${op} ${literal(value)}`)),
        ),
        ...same.flatMap((field) =>
          valuesOf(field)
            .slice(0, 3)
            .flatMap((value) => sameOps.map((op) => `${field} ${op} ${literal(value)}`)),
        ),
        ...[...ordered, ...same].flatMap((field) => [`${field} pr`, `${field} eq null`, `${field} ne null`]),
      ];
      let some = 0;
      for (const filter of filters) {
        const found = await check(rows, filter);
        if (found > 0 && found < rows.length) some += 1;
      }
      expect(some).toBeGreaterThan(filters.length / 2);
    });

    test('parts of the values of any field, as items contain them', async () => {
      const { items: rows } = await list(path, {});
      const fields = [...texts, ...ordered, ...same];
      const partsOf = (field: string) => {
        const value = String(rows[2]![field]);
        return [value, value.slice(0, 2), value.slice(-3), value.slice(2, 6)];
      };
      let some = 0;
      for (const field of fields) {
        for (const part of partsOf(field)) {
          for (const op of textOps) if (await check(rows, `${field} ${op} ${literal(part)}`)) some += 1;
        }
      }
      expect(some).toBeGreaterThan(textOps.length * 4);
    });

    test('comparisons put together at random', async () => {
      const { items: rows } = await list(path, {});
      const random = seededRandom(`filters of ${path}`);
      const oneOf = <T>(things: readonly T[]) => things[Math.floor(random() * things.length)]!;
      const compare = (): string => {
        const kind = random();
        if (kind < 0.4) return `${oneOf(texts)} ${oneOf(textOps)} ${literal(oneOf(parts))}`;
        if (kind < 0.5) return `${oneOf([...ordered, ...same])} pr`;
        const field = oneOf([...texts, ...ordered, ...same]);
        const value = oneOf(rows)[field] ?? null;
        const ops = value === null || same.includes(field) ? sameOps : [...orderOps, ...sameOps];
        return `${field} ${oneOf(ops)} ${literal(value)}`;
      };
      const draw = (depth = 0): string => {
        const kind = random();
        if (depth > 2 || kind < 0.3) return compare();
        if (kind < 0.5) return `not (${draw(depth + 1)})`;
        return `(${draw(depth + 1)} ${kind < 0.75 ? 'and' : 'or'} ${draw(depth + 1)})`;
      };
      for (let count = 0; count < 60; count++) await check(rows, draw());
    });
  });

  test('an empty text is not present', async () => {
    const webhook = {
      kind: 'webhook',
      parameters: { url: 'http://127.0.0.1:9/hook', method: 'POST', body: '' },
    };
    for (const remarks of ['', 'on call'])
      await make('actions', { displayName: `remarks ${remarks}`, remarks, ...webhook });
    const remarksOf = async (filter: string) =>
      (await list(`${api}/actions`, { filter })).items.map((item) => item.remarks);
    expect(await remarksOf('remarks pr')).toEqual(['on call']);
    expect(await remarksOf('not (remarks pr)')).toEqual(['']);
  });

  test('settings of AlertHub are limited to a period by when they were created', async () => {
    const { items } = await list(`${api}/actions`, { sort: 'createdAt', limit: '100' });
    const times = items.map((item) => String(item.createdAt));
    const first = await list(`${api}/actions`, { sinceAt: times[0]!, limit: '100' });
    expect(first.items).toHaveLength(items.length);
    expect((await list(`${api}/actions`, { untilAt: times[0]! })).total).toBe(0);
  });

  test('a time that an item has belongs to the span that begins with it and not to the one that ends with it', async () => {
    const path = `${api}/message/list`;
    const { items } = await list(path, { sort: 'receivedAt' });
    const times = items.map((item) => String(item.receivedAt));
    expect(new Set(times).size).toBe(names.length);
    const within = async (sinceAt: string, untilAt: string) =>
      (await list(path, { sinceAt, untilAt, sort: 'receivedAt' })).items.map((item) => item.receivedAt);
    expect(await within(times[2]!, times[5]!)).toEqual(times.slice(2, 5));
    expect(await within(times[3]!, times[3]!)).toEqual([]);
    const later = (time: string) => isoTime(Date.parse(time) + 1);
    expect(await within(later(times[2]!), later(times[5]!))).toEqual(times.slice(3, 6));
    expect((await list(path, { sinceAt: times.at(-1)! })).total).toBe(1);
    expect((await list(path, { untilAt: times[0]! })).total).toBe(0);
  });
});
