import { message } from '@yagura/core/alerthub/message';
import { scope } from '@yagura/core/alerthub/scope';
import { Problem } from '@yagura/core/http/problem';
import { en } from '@yagura/core/i18n/en/all';
import { createTranslator } from '@yagura/core/i18n/translator';
import { describe, expect, test } from 'vitest';
import { readListQuery } from './list-query.ts';

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
  ])('bounds the time of messages by %j', (query, wanted) => {
    expect(readListQuery(message, query, t)).toMatchObject(wanted);
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
    ['sinceAt', { sinceAt: '2026-01-01' }],
    ['untilAt', { untilAt: '2026-01-01' }],
  ])('refuses a wrong %s in %j', (name, query) => {
    expect(() => readListQuery(scope, query, t)).toThrow(Problem);
    expect(() => readListQuery(scope, query, t)).toThrow(
      expect.objectContaining({
        status: 400,
        invalidParams: [{ name, reason: expect.not.stringMatching(/^(query|rule)\./) }],
      }),
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
