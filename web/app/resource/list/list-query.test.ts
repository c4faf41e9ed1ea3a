import { actionRecord } from '@yagura/core/alerthub/action-record';
import { message } from '@yagura/core/alerthub/message';
import { receiveSlot } from '@yagura/core/alerthub/receive-slot';
import { scope } from '@yagura/core/alerthub/scope';
import { describe, expect, it } from 'vitest';
import { fieldWithoutId, isInvalidFilter, listQuery } from './list-query.server.ts';

describe('filter of a search', () => {
  it.each([
    ['a filter of known fields is passed on', scope, 'status eq "incident"', 'status eq "incident"'],
    ['words are looked for in the name', scope, 'core switch', 'displayName co "core switch"'],
    ['a quote stays inside the text', scope, 'a" or status pr', 'displayName co "a\\" or status pr"'],
    ['a filter of unknown fields is words', scope, 'nothing eq "x"', 'displayName co "nothing eq \\"x\\""'],
    ['an id with a hyphen is words', receiveSlot, 'web-1', 'displayName co "web-1"'],
  ])('%s', (_what, resource, text, filter) => {
    expect(listQuery(resource, { page: 1, size: 10, sort: [], columns: [] }, text).filter).toBe(filter);
  });
});

describe('isInvalidFilter', () => {
  it.each([
    ['summary co "x', true],
    ['severityy eq 3', true],
    ['not (severityy pr)', true],
    ['summary co "x"', false],
    ['disk is full', false],
    ['応答なし db01', false],
    ['', false],
  ])('%s: %s', (text, isInvalid) => {
    expect(isInvalidFilter(message, text)).toBe(isInvalid);
  });
});

describe('fieldWithoutId', () => {
  const id = '01a1fea7-056f-700d-b199-539c2daf0001';
  it.each([
    ['receiveSlotId eq "core switch"', 'receiveSlotId'],
    ['size gt 3 and not (receiveSlotId eq "x")', 'receiveSlotId'],
    [`receiveSlotId eq "${id}" or receiveSlotId ne "x"`, 'receiveSlotId'],
    [`receiveSlotId eq "${id}"`, undefined],
    ['summary eq "core switch"', undefined],
    ['core switch', undefined],
  ])('%s: %s', (text, field) => {
    expect(fieldWithoutId(message, text)).toBe(field);
  });
});

describe('listQuery', () => {
  it('turns the page into an offset and sorts by default', () => {
    const state = { page: 3, size: 25, sort: [], columns: [] };
    expect(listQuery(scope, state, '  ')).toEqual({
      limit: 25,
      offset: 50,
      sort: '-createdAt',
      filter: undefined,
    });
  });

  it('searches messages for words, and filters them by a filter', () => {
    const state = { page: 1, size: 10, sort: [], columns: [] };
    expect(listQuery(message, state, ' 応答なし db01 ')).toMatchObject({ search: '応答なし db01' });
    expect(listQuery(message, state, 'size gt 3')).not.toHaveProperty('search');
  });

  it('keeps the order of several sort keys', () => {
    const sort = [
      { field: 'status', descending: true },
      { field: 'createdAt', descending: false },
    ];
    expect(listQuery(actionRecord, { page: 1, size: 10, sort, columns: [] }, null).sort).toBe(
      '-status,createdAt',
    );
  });
});
