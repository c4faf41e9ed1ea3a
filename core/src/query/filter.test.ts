import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Filter, FilterValue } from './filter.ts';
import { filterFields, filterLimits, matchesFilter, parseFilter, printFilter } from './filter.ts';
import { QueryError } from './query-error.ts';

// Fixed seed, so that every run tests the same cases.
fc.configureGlobal({ seed: 20260131 });

const eq = (field: string, value: FilterValue): Filter => ({ op: 'eq', field, value });

describe('parseFilter', () => {
  test.each<[string, Filter]>([
    ['namespace eq "sonar"', eq('namespace', 'sonar')],
    ['params.networkId EQ "n 1"', eq('params.networkId', 'n 1')],
    ['$key gt 3', { op: 'gt', field: '$key', value: 3 }],
    ['a eq -1.5e3', eq('a', -1500)],
    ['a eq TRUE', eq('a', true)],
    ['a ne null', { op: 'ne', field: 'a', value: null }],
    ['a pr', { op: 'pr', field: 'a' }],
    [
      'a eq "x" and b pr or c pr',
      {
        op: 'or',
        items: [
          { op: 'and', items: [eq('a', 'x'), { op: 'pr', field: 'b' }] },
          { op: 'pr', field: 'c' },
        ],
      },
    ],
    [
      'a pr And (b pr oR c pr)',
      {
        op: 'and',
        items: [
          { op: 'pr', field: 'a' },
          {
            op: 'or',
            items: [
              { op: 'pr', field: 'b' },
              { op: 'pr', field: 'c' },
            ],
          },
        ],
      },
    ],
    ['not(a pr)', { op: 'not', item: { op: 'pr', field: 'a' } }],
    ['not eq 1', eq('not', 1)],
    ['and eq 1', eq('and', 1)],
    ['  ( ( a eq "\\u00e9\\")" ) ) ', eq('a', 'é")')],
  ])('%s', (text, tree) => {
    expect(parseFilter(text)).toEqual(tree);
  });

  test.each([
    ['', 0, 'field'],
    ['   ', 3, 'field'],
    ['名 pr', 0, 'field'],
    ['a', 1, 'operator'],
    ['a xx 1', 2, 'operator'],
    ['a eq', 4, 'value'],
    ['a eq yes', 5, 'value'],
    ["a eq 'x'", 5, 'value'],
    ['a eq "x', 7, 'string-end'],
    ['a eq "x\\q"', 7, 'string-escape'],
    ['a eq "x\ny"', 7, 'string-escape'],
    ['a eq 1e999', 5, 'number-in-range'],
    ['a eq 01', 6, 'connective'],
    ['a co 1', 5, 'text-value'],
    ['a gt true', 5, 'ordered-value'],
    ['a pr b pr', 5, 'connective'],
    ['a pr and', 8, 'field'],
    ['a pr and_x pr', 5, 'connective'],
    ['(a pr', 5, 'closing-bracket'],
    ['(a pr b', 6, 'connective'],
    ['a pr)', 4, 'end'],
    ['()', 1, 'field'],
    ['a.b. eq 1', 3, 'operator'],
    ['emails[type eq "x"]', 6, 'operator'],
    ['a pr; drop table', 4, 'connective'],
  ])('%j fails at %i: %s', (text, position, expected) => {
    expect(() => parseFilter(text)).toThrow(expect.objectContaining({ position, expected }));
  });

  test('bounds hostile input', () => {
    const { depth, terms, length } = filterLimits;
    expect(() => parseFilter('('.repeat(depth + 1))).toThrow(
      expect.objectContaining({ expected: 'shallower' }),
    );
    expect(() => parseFilter('not ('.repeat(1000))).toThrow(
      expect.objectContaining({ expected: 'shallower' }),
    );
    expect(() =>
      parseFilter(
        Array(terms + 1)
          .fill('a pr')
          .join(' or '),
      ),
    ).toThrow(expect.objectContaining({ expected: 'fewer-terms' }));
    expect(() => parseFilter('a'.repeat(length + 1))).toThrow(
      expect.objectContaining({ expected: 'shorter' }),
    );
    expect(parseFilter(`${'('.repeat(depth)}a pr${')'.repeat(depth)}`)).toEqual({ op: 'pr', field: 'a' });
  });
});

const fields = ['a', 'b', 'c.d', 'not', 'or', '$key', 'x-y_z'];
const values = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('sonar', 'Sonar', '2026-01-02T03:04:05.000Z', '2026-01-02T12:04:05+09:00', '日本'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.integer({ min: -3, max: 3 }),
  fc.boolean(),
  fc.constant(null),
);
const ordered = values.filter((value) => typeof value === 'string' || typeof value === 'number');
const texts = values.filter((value) => typeof value === 'string');
const field = fc.constantFrom(...fields);
const filters = fc.letrec<{ tree: Filter }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ op: fc.constantFrom('eq' as const, 'ne' as const), field, value: values }),
    fc.record({
      op: fc.constantFrom('gt' as const, 'ge' as const, 'lt' as const, 'le' as const),
      field,
      value: ordered,
    }),
    fc.record({ op: fc.constantFrom('co' as const, 'sw' as const, 'ew' as const), field, value: texts }),
    fc.record({ op: fc.constant('pr' as const), field }),
    fc.record({ op: fc.constant('not' as const), item: tie('tree') }),
    fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      items: fc.array(tie('tree'), { minLength: 2, maxLength: 4 }),
    }),
  ),
})).tree;
const clean = (filter: Filter): Filter =>
  JSON.parse(JSON.stringify(filter, (_, value) => (Object.is(value, -0) ? 0 : value))) as Filter;
const printable = (filter: Filter): boolean => {
  const text = printFilter(filter);
  return text.length < filterLimits.length && text.split('(').length <= filterLimits.depth;
};

test('parse(print(x)) is x', () => {
  fc.assert(
    fc.property(filters.map(clean).filter(printable), (filter) => {
      expect(parseFilter(printFilter(filter))).toEqual(filter);
    }),
    { numRuns: 500 },
  );
});

test('any text gives a filter or a QueryError inside the text', () => {
  const pieces = fc.constantFrom(
    'a',
    'eq',
    'and',
    'not',
    '(',
    ')',
    '"x"',
    '"',
    '\\',
    '1',
    'null',
    ' ',
    '.',
    '-',
    '名',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces).map((list) => list.join(' ')),
      ),
      (text) => {
        try {
          parseFilter(text);
        } catch (error) {
          expect(error).toBeInstanceOf(QueryError);
          expect((error as QueryError).position).toBeLessThanOrEqual(text.length);
        }
      },
    ),
    { numRuns: 1000 },
  );
});

describe('matchesFilter', () => {
  const row = {
    name: 'Main Router',
    size: 3,
    on: false,
    at: '2026-01-02T03:04:05.000Z',
    gone: null,
    empty: '',
    none: [],
    params: { networkId: 'n1' },
    tags: { 'app.name': 'web' },
    members: [{ id: 'u1', age: 20 }, { id: 'u2' }],
  };
  test.each([
    ['name eq "Main Router"', true],
    ['name eq "main router"', false],
    ['name co "ROUT"', true],
    ['name sw "main"', true],
    ['name ew "Main"', false],
    ['size ge 3 and size lt 4', true],
    ['size eq "3"', false],
    ['size gt "1"', false],
    ['on eq false', true],
    ['on pr', true],
    ['at eq "2026-01-02T12:04:05+09:00"', true],
    ['at gt "2026-01-02T12:04:04+09:00"', true],
    ['gone eq null', true],
    ['missing eq null', true],
    ['missing ne "x"', true],
    ['missing gt 1', false],
    ['gone pr', false],
    ['empty pr', false],
    ['none pr', false],
    ['params pr', true],
    ['params.networkId eq "n1"', true],
    ['tags.app.name eq "web"', true],
    ['members.id eq "u2"', true],
    ['members.id ne "u2"', false],
    ['members.age gt 19', true],
    ['constructor pr', false],
    ['__proto__.toString pr', false],
    ['not (size eq 3)', false],
  ])('%s is %s', (text, expected) => {
    expect(matchesFilter(parseFilter(text), row)).toBe(expected);
  });

  test('agrees with a rule-by-rule reading over random flat rows', () => {
    const cells = fc.oneof(values, fc.constant(undefined));
    const rows = fc.record({ a: cells, b: cells, c: fc.record({ d: cells }) });
    fc.assert(
      fc.property(
        filters.filter((filter) => filterFields(filter).every((name) => name.length < 4)),
        rows,
        (filter, row) => {
          const flat = new Map<string, unknown>([
            ['a', row.a],
            ['b', row.b],
            ['c.d', row.c.d],
          ]);
          expect(matchesFilter(filter, row)).toBe(plainly(filter, flat));
        },
      ),
      { numRuns: 1500 },
    );
  });
});

/** Independent implementation of the documented rules; shares no code with the evaluator. */
function plainly(filter: Filter, row: Map<string, unknown>): boolean {
  if ('items' in filter) {
    const answers = filter.items.map((item) => plainly(item, row));
    return filter.op === 'and' ? !answers.includes(false) : answers.includes(true);
  }
  if ('item' in filter) return plainly(filter.item, row) === false;
  const cell = row.get(filter.field) ?? null;
  if (filter.op === 'pr') return cell !== null && cell !== '';
  const wanted = 'value' in filter ? filter.value : null;
  const lower = [String(cell).toLowerCase(), String(wanted).toLowerCase()] as const;
  const texts = typeof cell === 'string' && typeof wanted === 'string';
  if (filter.op === 'co') return texts && (lower[1] === '' || lower[0].split(lower[1]).length > 1);
  if (filter.op === 'sw') return texts && lower[0].slice(0, lower[1].length) === lower[1];
  if (filter.op === 'ew') return texts && (lower[1] === '' || lower[0].slice(-lower[1].length) === lower[1]);
  const dates = isoLike(cell) && isoLike(wanted);
  const left = dates ? new Date(cell as string).getTime() : cell;
  const right = dates ? new Date(wanted as string).getTime() : wanted;
  if (filter.op === 'eq') return left === right;
  if (filter.op === 'ne') return left !== right;
  if (typeof left !== typeof right || left === null || typeof left === 'boolean') return false;
  const order =
    typeof left === 'number' ? Math.sign(left - Number(right)) : byCodePoint(String(left), String(right));
  return { gt: [1], ge: [0, 1], lt: [-1], le: [-1, 0] }[filter.op as 'gt'].includes(order === 0 ? 0 : order);
}

function isoLike(value: unknown): boolean {
  return typeof value === 'string' && /^20\d\d-.*T.*:.*/.test(value) && !Number.isNaN(Date.parse(value));
}

function byCodePoint(a: string, b: string): number {
  const left = [...a].map((character) => character.codePointAt(0)!);
  const right = [...b].map((character) => character.codePointAt(0)!);
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? -1) - (right[index] ?? -1);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}
