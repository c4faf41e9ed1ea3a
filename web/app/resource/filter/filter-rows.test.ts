import { message } from '@yagura/core/alerthub/message';
import type { FieldMeta } from '@yagura/core/resource/field';
import { describe, expect, it } from 'vitest';
import { screenMeta } from '../screen-meta.ts';
import { createFilterRow, formatFilter, operatorsFor, parseFilterRows } from './filter-rows.ts';

const field = (kind: FieldMeta['kind'], more: Partial<FieldMeta> = {}): FieldMeta => ({
  kind,
  required: true,
  nullable: false,
  ...more,
});
const meta = {
  name: field('text', { nullable: true }),
  kind: field('choice', { options: ['a', 'b'] }),
  on: field('boolean'),
  size: field('bytes'),
  at: field('date-time'),
  day: field('date'),
};

describe('rows and text', () => {
  it.each([
    ['', 'and', []],
    ['name co "a \\"b\\""', 'and', [['name', 'co', 'a "b"']]],
    [
      'kind eq "b" and size ge 10',
      'and',
      [
        ['kind', 'eq', 'b'],
        ['size', 'ge', '10'],
      ],
    ],
    [
      'on eq false or name pr or not (name pr)',
      'or',
      [
        ['on', 'eq', 'false'],
        ['name', 'pr', ''],
        ['name', 'absent', ''],
      ],
    ],
    ['day eq "2026-01-31"', 'and', [['day', 'eq', '2026-01-31']]],
    ['at ge "2026-01-31T15:00:00.000Z"', 'and', [['at', 'ge', '2026-01-31T15:00:00.000Z']]],
  ])('%j there and back', (text, join, rows) => {
    const read = parseFilterRows(text, meta)!;
    expect([read.join, read.rows.map(({ field, op, value }) => [field, op, value])]).toEqual([join, rows]);
    expect(formatFilter(read, meta)).toBe(text);
  });

  it.each([
    'plain words',
    'size',
    'name eq "a" and (kind eq "a" or kind eq "b")',
    'not (name eq "a")',
    'name eq null',
    'other eq "a"',
    'kind eq "c"',
    'kind co "a"',
    'size eq "10"',
    'at ge "tomorrow"',
    'day ge "2026-02-30"',
    'day co "2026"',
  ])('%j is for the hand', (text) => {
    expect(parseFilterRows(text, meta)).toBeUndefined();
  });

  it('leaves out rows that say nothing yet', () => {
    const rows = [
      createFilterRow('name', meta.name),
      createFilterRow('size', meta.size),
      createFilterRow('kind', meta.kind),
    ];
    expect(formatFilter({ join: 'or', rows }, meta)).toBe('kind eq "a"');
    expect(formatFilter({ join: 'or', rows: [{ field: 'size', op: 'eq', value: 'ten' }] }, meta)).toBe('');
  });
});

it('asks of a field what its kind can answer', () => {
  expect(operatorsFor(meta.on)).toEqual(['eq', 'ne']);
  expect(operatorsFor(meta.name)).toEqual(['eq', 'ne', 'co', 'sw', 'ew', 'pr', 'absent']);
});

it('a face tells the filterable fields with their facts', () => {
  const { filterable } = screenMeta(message);
  expect(Object.keys(filterable)).toEqual([...message.filterable]);
  expect(filterable.receiveSlotKind?.options).toBeDefined();
});
