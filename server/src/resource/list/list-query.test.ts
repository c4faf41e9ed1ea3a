import { message } from '@yagura/core/alerthub/message';
import { scope } from '@yagura/core/alerthub/scope';
import { Problem } from '@yagura/core/http/problem';
import { en } from '@yagura/core/i18n/en/all';
import { createTranslator } from '@yagura/core/i18n/translator';
import { callflow } from '@yagura/core/pigeon/callflow';
import type { Filter } from '@yagura/core/query/filter';
import { parseSort } from '@yagura/core/query/sort';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { task } from '@yagura/core/tasks/task';
import { describe, expect, test } from 'vitest';
import {
  conditionsOf,
  filterSql,
  needsTextScan,
  orderOf,
  readListQuery,
  unindexedParts,
} from './list-query.ts';
import { Sql } from './sql.ts';
import { type Column, rowTable, type Table } from './table.ts';

const t = createTranslator('en', en);

describe('readListQuery', () => {
  test('has defaults', () => {
    expect(readListQuery(scope, {}, t)).toEqual({
      limit: 10,
      offset: 0,
      sort: [{ field: 'createdAt', descending: true }],
      filter: undefined,
      since: undefined,
      until: undefined,
    });
  });

  test.each([
    [
      { limit: '1000', offset: '10000000' },
      { limit: 1000, offset: 10_000_000 },
    ],
    [
      { limit: '', offset: '', sort: '', filter: '' },
      { limit: 10, offset: 0, filter: undefined },
    ],
    [
      { sort: 'displayName,-scopeId' },
      {
        sort: [
          { field: 'displayName', descending: false },
          { field: 'scopeId', descending: true },
        ],
      },
    ],
    [{ filter: 'severity ge 2' }, { filter: { op: 'ge', field: 'severity', value: 2 } }],
    [{ unknown: 'x' }, { limit: 10 }],
  ])('reads %j', (query, wanted) => {
    expect(readListQuery(scope, query, t)).toMatchObject(wanted);
  });

  test.each([
    [{ sinceAt: '2026-01-01' }, { since: '2026-01-01T00:00:00.000Z' }],
    [{ untilAt: '2026-01-01T09:00+09:00' }, { until: '2026-01-01T00:00:00.000Z' }],
  ])('bounds the time of messages and of settings by %j', (query, wanted) => {
    expect(readListQuery(message, query, t)).toMatchObject(wanted);
    expect(readListQuery(scope, query, t)).toMatchObject(wanted);
  });

  test.each([
    ['limit', { limit: '0' }],
    ['limit', { limit: '1001' }],
    ['limit', { limit: ' 5' }],
    ['limit', { limit: ['1', '2'] }],
    ['offset', { offset: '10000001' }],
    ['offset', { offset: ['1'] }],
    ['sort', { sort: ['displayName', 'displayName'] }],
    ['filter', { filter: ['displayName eq "a"', 'displayName eq "b"'] }],
    ['sort', { sort: 'thresholds' }],
    ['sort', { sort: '-' }],
    ['filter', { filter: 'remarks co "x"' }],
    ['filter', { filter: 'displayName' }],
    ['filter', { filter: 'displayName eq "\\u0000"' }],
    ['filter', { filter: 'displayName eq "\0"' }],
    ['sinceAt', { sinceAt: 'yesterday' }],
    ['untilAt', { untilAt: '2026-13-01' }],
  ])('refuses a wrong %s in %j', (name, query) => {
    expect(() => readListQuery(scope, query, t)).toThrow(Problem);
    expect(() => readListQuery(scope, query, t)).toThrow(
      expect.objectContaining({
        status: 400,
        invalidParams: [{ name, reason: expect.not.stringMatching(/^(query|rule)\./) }],
      }),
    );
  });

  test.each(['sinceAt', 'untilAt'])('refuses %s for a list of settings outside AlertHub', (name) => {
    expect(() => readListQuery(callflow, { [name]: '2026-01-01' }, t)).toThrow(
      expect.objectContaining({ status: 400, invalidParams: [{ name, reason: t('query.timeless') }] }),
    );
  });

  const reasonFor = (query: Record<string, unknown>) => {
    try {
      readListQuery(scope, query, t);
    } catch (error) {
      return (error as Problem).invalidParams?.[0]?.reason;
    }
    return undefined;
  };

  test('says what is wrong, and which fields there are', () => {
    expect(reasonFor({ filter: 'remarks co "x"' })).toContain(scope.filterable.join(', '));
    expect(reasonFor({ sort: 'thresholds' })).toContain(scope.sortable.join(', '));
    expect(reasonFor({ filter: 'displayName near "x"' })).toContain('character 13');
    expect(reasonFor({ sort: '-' })).not.toBe(reasonFor({ sort: 'thresholds' }));
  });

  test("the item's own id can be sorted and filtered by", () => {
    expect(readListQuery(scope, { sort: 'scopeId', filter: 'scopeId eq "x"' }, t)).toMatchObject({
      sort: [{ field: 'scopeId' }],
      filter: { field: 'scopeId' },
    });
  });

  test.each([
    'tomorrow',
    '2026-13-01',
    '2026-02-30',
    '2026-04-31T09:00:00+09:00',
    '0000-01-01',
    '10000-01-01',
    '2026-01-01T25:00Z',
  ])('refuses the time %s', (sinceAt) => {
    expect(() => readListQuery(message, { sinceAt }, t)).toThrow(
      expect.objectContaining({ invalidParams: [expect.objectContaining({ name: 'sinceAt' })] }),
    );
  });
});

describe('a search', () => {
  test('is of 500 characters at most, without the spaces around it, and where there is one', () => {
    const search = (text: string, resource: AnyResource = message) =>
      readListQuery(resource, { search: text }, t).search;
    expect([search(' disk full '), search('  '), search('', scope)]).toEqual([
      'disk full',
      undefined,
      undefined,
    ]);
    expect(search('x'.repeat(500))).toBe('x'.repeat(500));
    expect(() => search('x'.repeat(501))).toThrow(expect.objectContaining({ status: 400 }));
    expect(() => search('x', scope)).toThrow(expect.objectContaining({ status: 400 }));
  });
});

test.each([
  [{ limit: '1' }, { limit: 1 }],
  [{ offset: '0' }, { offset: 0 }],
])('takes the lowest value of %j', (query, expected) => {
  expect(readListQuery(scope, query, t)).toMatchObject(expected);
});

test.each([
  ['params.networkId eq "n1"', []],
  ['params.networkId eq "n1" or params.networkId eq "n2"', []],
  ['params.networkId eq "n1" and createdAt ge "2026-01-01"', []],
  ['params.networkId ne "n1"', ['params.networkId']],
  ['params.networkId eq "n1" and status eq "started"', ['status']],
])('of %s, %j is compared item by item', (filter, wanted) => {
  const request = readListQuery(task, { filter }, t);
  const table = rowTable(task, { from: 'task t', alias: 't' });
  expect(unindexedParts(task, table, request)).toMatchObject(wanted.map((field) => ({ field })));
});

describe('SQL', () => {
  const column = (type: Column['type']): Column => ({ sql: type, type });
  const table = {
    id: { sql: 'id', type: 'uuid' },
    columns: {
      ...Object.fromEntries(
        (['text', 'number', 'boolean', 'uuid', 'date', 'time'] as const).map((type) => [type, column(type)]),
      ),
      receivedAt: { sql: 'at', type: 'time' },
      updatedAt: { sql: 'changed', type: 'time', isRequired: true },
      messageId: { sql: 'id', type: 'uuid' },
      address: { sql: 'host', type: 'text', order: 'host::inet' },
    },
  } as unknown as Table;
  const uuid = '0190a0a0-0000-7000-8000-000000000001';
  const compare = (field: string, op: string, value: unknown) => {
    const sql = new Sql();
    const text = filterSql({ op, field, value } as Filter, table, sql);
    return [text, ...sql.values];
  };

  test.each([
    ['text', 'eq', 'a', ['(text = $1::text)', 'a']],
    ['text', 'gt', 'a', ['(text collate "C" > $1::text)', 'a']],
    ['number', 'le', 1.5, ['(number <= $1::numeric)', 1.5]],
    ['boolean', 'eq', false, ['(boolean = $1::boolean)', false]],
    ['uuid', 'eq', uuid.toUpperCase(), ['(uuid = $1::uuid)', uuid.toUpperCase()]],
    ['date', 'lt', '2026-02-28', ['(date < $1::date)', '2026-02-28']],
    ['time', 'ge', '2026-01-01', ['(time >= $1::timestamptz)', '2026-01-01T00:00:00.000Z']],
    ['text', 'ne', 'a', ['(not coalesce((text = $1::text), false))', 'a']],
    ['text', 'eq', null, ['(text is null)']],
    ['text', 'ne', null, ['(not coalesce((text is null), false))']],
    ['number', 'co', '1', ['false']],
    ['boolean', 'sw', 't', ['false']],
    ['uuid', 'sw', '01', ['(uuid::text ilike $1::text)', '01%']],
    ['date', 'sw', '2026', ['(date::text ilike $1::text)', '2026%']],
    [
      'time',
      'co',
      'T01',
      [`(to_char(time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') ilike $1::text)`, '%T01%'],
    ],
    ['text', 'sw', '50%_\\', ['(text::text ilike $1::text)', '50\\%\\_\\\\%']],
    ['text', 'ew', 'a', ['(text::text ilike $1::text)', '%a']],
    ['text', 'co', 1, ['false']],
  ])('of %s %s %j', (field, op, value, expected) => {
    expect(compare(field, op, value)).toEqual(expected);
  });

  test.each([
    ['text', 1],
    ['number', '1'],
    ['boolean', 'true'],
    ['uuid', 'x'],
    ['uuid', `${uuid}0`],
    ['uuid', 1],
    ['date', '2026-02-30'],
    ['date', 1],
    ['time', 'tomorrow'],
    ['time', 1],
  ])('of a %s is never true for %j, and its opposite always', (field, value) => {
    expect(compare(field, 'eq', value)).toEqual(['false']);
    expect(compare(field, 'gt', value)).toEqual(['false']);
    expect(compare(field, 'ne', value)).toEqual(['(not coalesce(false, false))']);
  });

  test.each([
    ['text', `(text <> '')`],
    ['number', '(number is not null)'],
    ['time', '(time is not null)'],
  ])('of a %s that is present', (field, expected) => {
    expect(compare(field, 'pr', undefined)).toEqual([expected]);
  });

  test('of filters put together keeps their order, and a text inside of one is found', () => {
    const [a, b] = [
      { op: 'eq', field: 'text', value: 'a' },
      { op: 'pr', field: 'number' },
    ] as const;
    const inside = { op: 'sw', field: 'text', value: 'a' } as const;
    const both = { op: 'and', items: [a, { op: 'not', item: b }] } as Filter;
    const sql = new Sql();
    expect(filterSql(both, table, sql)).toBe(
      '((text = $1::text) and (not coalesce((number is not null), false)))',
    );
    expect(filterSql({ op: 'or', items: [a, b] } as Filter, table, new Sql())).toBe(
      '((text = $1::text) or (number is not null))',
    );
    const scans = [a, b, both, inside, { op: 'or', items: [a, inside] }, { op: 'not', item: inside }];
    expect(scans.map((filter) => needsTextScan(filter as Filter))).toEqual([
      ...[false, false, false, true, true, true],
    ]);
  });

  test('of the bounds of time begins with the first and ends before the last', () => {
    const conditions = (resource: AnyResource, query: Record<string, string>) => {
      const sql = new Sql();
      return [...conditionsOf(resource, table, readListQuery(resource, query, t), sql), ...sql.values];
    };
    const [since, until] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
    expect(conditions(message, { sinceAt: since, untilAt: until })).toEqual([
      ...['at >= $1::timestamptz', 'at < $2::timestamptz', since, until],
    ]);
    expect(conditions(message, {})).toEqual([]);
    expect(conditions(message, { untilAt: until, filter: `messageId eq "${uuid}"` })).toEqual([
      ...['at < $1::timestamptz', '(id = $2::uuid)', until, uuid],
    ]);
  });

  test.each([
    ['text', 'text collate "und-x-icu" asc nulls first, id asc'],
    ['-text', 'text collate "und-x-icu" desc nulls last, id desc'],
    ['-number,text', 'number desc nulls last, text collate "und-x-icu" asc nulls first, id asc'],
    ['receivedAt', 'at asc, id asc'],
    ['-receivedAt', 'at desc, id desc'],
    ['-updatedAt', 'changed desc, id desc'],
    ['-messageId', 'id desc nulls last'],
    ['-address,text', 'host::inet desc nulls last, text collate "und-x-icu" asc nulls first, id asc'],
    ['text,messageId', 'text collate "und-x-icu" asc nulls first, id asc nulls first'],
  ])('of the order %s', (sort, expected) => {
    expect(orderOf(message, table, parseSort(sort))).toBe(expected);
  });
});
