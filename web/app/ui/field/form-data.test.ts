import { formatFieldDateTime } from '@yagura/core/format/date-time';
import type { FieldMeta } from '@yagura/core/resource/field';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  keyInputName,
  listMarkerName,
  memberInputName,
  readForm,
  valueInputName,
  zoneInputName,
} from './form-data.ts';

const field = (kind: FieldMeta['kind'], more: Partial<FieldMeta> = {}): FieldMeta => ({
  kind,
  required: true,
  nullable: false,
  ...more,
});

function form(...entries: [string, string][]): FormData {
  const data = new FormData();
  for (const [name, value] of entries) data.append(name, value);
  return data;
}

const cases: [name: string, meta: FieldMeta, entries: [string, string][], expected: unknown][] = [
  ['text', field('text'), [['a', 'x']], 'x'],
  ['an empty text that may be empty', field('text'), [['a', '']], ''],
  ['an empty text that must not be empty', field('text', { min: 1 }), [['a', '']], undefined],
  ['an empty nullable text', field('text', { nullable: true }), [['a', '']], null],
  ['a field that the form does not hold', field('text'), [], undefined],
  ['long text with the line ends of a browser', field('long-text'), [['a', 'x\r\ny']], 'x\ny'],
  ['integer', field('integer'), [['a', ' 12 ']], 12],
  ['a negative integer', field('integer'), [['a', '-3']], -3],
  ['a word as integer stays a word', field('integer'), [['a', 'twelve']], 'twelve'],
  ['a hexadecimal stays text', field('integer'), [['a', '0x10']], '0x10'],
  ['an empty integer', field('integer'), [['a', '']], undefined],
  ['an empty integer with a default', field('integer', { default: 5 }), [['a', '']], 5],
  ['an empty nullable integer', field('integer', { nullable: true }), [['a', '']], null],
  ['number', field('number'), [['a', '1.5e3']], 1500],
  ['an endless number stays text', field('number'), [['a', '1e999']], '1e999'],
  [
    'a ticked box',
    field('boolean'),
    [
      ['a', 'false'],
      ['a', 'true'],
    ],
    true,
  ],
  ['an unticked box', field('boolean'), [['a', 'false']], false],
  ['no choice', field('choice', { options: ['x'] }), [['a', '']], undefined],
  ['no choice where one is the default', field('choice', { default: 'x' }), [['a', '']], 'x'],
  ['no reference where null is a value', field('reference', { nullable: true }), [['a', '']], null],
  [
    'seconds in a unit',
    field('seconds'),
    [
      ['a', '1.5'],
      ['a.$unit', '3600'],
    ],
    5400,
  ],
  [
    'seconds in minutes',
    field('seconds'),
    [
      ['a', '2'],
      ['a.$unit', '60'],
    ],
    120,
  ],
  ['an empty JSON of an editor', field('json', { nullable: true }), [['a.$json', ' ']], null],
  [
    'an empty JSON of an editor where there is a default',
    field('list', { default: [] }),
    [['a.$json', '']],
    [],
  ],
  [
    'the last row that is read',
    field('list', { item: field('text') }),
    [
      ['a.9999', 'x'],
      ['a.10000', 'y'],
    ],
    ['x'],
  ],
  [
    'seconds in a unit that does not exist',
    field('seconds'),
    [
      ['a', '5'],
      ['a.$unit', '7'],
    ],
    5,
  ],
  ['seconds that are a word', field('seconds'), [['a', 'soon']], 'soon'],
  [
    'a time in its zone',
    field('date-time'),
    [
      ['a', '2026/11/21 09:00'],
      ['a.$zone', 'Asia/Tokyo'],
    ],
    '2026-11-21T00:00:00.000Z',
  ],
  [
    'another time than the one shown',
    field('date-time'),
    [
      ['a', '2026/11/21 09:01'],
      ['a.$zone', 'Asia/Tokyo'],
      ['a.$shown', '2026-11-21T00:00:30Z'],
    ],
    '2026-11-21T00:01:00.000Z',
  ],
  ['a time that is none stays as typed', field('date-time'), [['a', '2026/02/30 09:00']], '2026/02/30 09:00'],
  ['a date', field('date'), [['a', ' 2026-11-21 ']], '2026-11-21'],
  ['no date', field('date', { nullable: true }), [['a', ' ']], null],
  ['a date that is none stays as typed', field('date'), [['a', '2026-02-30']], '2026-02-30'],
  ['json', field('json'), [['a', '{"b":[1]}']], { b: [1] }],
  ['broken json stays as typed', field('json'), [['a', '{b']], '{b'],
  [
    'the json of an editor wins',
    field('object', { fields: { b: field('text') } }),
    [
      ['a.$json', '{"b":"x"}'],
      ['a.b', 'y'],
    ],
    { b: 'x' },
  ],
  ['an empty list', field('list', { item: field('text') }), [['a.$list', '']], []],
  ['a list that was not drawn', field('list', { item: field('text') }), [], undefined],
  [
    'rows in the order of their numbers',
    field('list', { item: field('text') }),
    [
      ['a.10', 'z'],
      ['a.2', 'y'],
    ],
    ['y', 'z'],
  ],
  [
    'rows of objects',
    field('list', { item: field('object', { fields: { b: field('integer'), c: field('text') } }) }),
    [
      ['a.0.b', '1'],
      ['a.0.c', 'x'],
      ['a.1.b', ''],
      ['a.1.c', ''],
    ],
    [{ b: 1, c: 'x' }, { c: '' }],
  ],
  [
    'key-values',
    field('key-values'),
    [
      ['a.0.$key', 'k'],
      ['a.0.$value', 'v'],
      ['a.1.$key', ''],
      ['a.1.$value', ''],
    ],
    { k: 'v' },
  ],
  ['an empty key-values field', field('key-values'), [['a.$list', '']], {}],
  [
    'a key that objects are made of',
    field('key-values'),
    [
      ['a.0.$key', '__proto__'],
      ['a.0.$value', 'v'],
    ],
    JSON.parse('{"__proto__":"v"}'),
  ],
  [
    'a row number out of all bounds is not a row',
    field('list', { item: field('text') }),
    [['a.99999', 'x']],
    undefined,
  ],
];

describe('readForm', () => {
  it.each(cases)('reads %s', (_name, field, entries, expected) => {
    expect(readForm(form(...entries), { a: field })).toEqual(expected === undefined ? {} : { a: expected });
  });

  it('reads a variant by its sibling, below lists too', () => {
    const kind = field('choice', { options: ['web', 'mail'] });
    const way = field('variant', {
      by: 'kind',
      variants: { web: { url: field('url') }, mail: { to: field('list', { item: field('email') }) } },
    });
    expect(
      readForm(form(['kind', 'web'], ['way.url', 'https://a.example/'], ['way.to.0', 'x']), { kind, way }),
    ).toEqual({
      kind: 'web',
      way: { url: 'https://a.example/' },
    });
    const rows = { rows: field('list', { item: field('object', { fields: { kind, way } }) }) };
    expect(readForm(form(['rows.3.kind', 'mail'], ['rows.3.way.to.0', 'a@b.example']), rows)).toEqual({
      rows: [{ kind: 'mail', way: { to: ['a@b.example'] } }],
    });
    expect(readForm(form(['kind', 'constructor'], ['way.url', 'x']), { kind, way })).toEqual({
      kind: 'constructor',
    });
  });

  it('gives back any value that its own names carried', () => {
    fc.assert(
      fc.property(sample, ({ meta, value }) => {
        const data = new FormData();
        write(data, 'a', meta, value);
        expect(readForm(data, { a: meta })).toEqual({ a: value });
      }),
      { numRuns: 300 },
    );
  });
});

interface Sample {
  meta: FieldMeta;
  value: unknown;
}

const scalar: fc.Arbitrary<Sample> = fc.oneof(
  fc.string().map((value) => ({ meta: field('text'), value })),
  fc.integer().map((value) => ({ meta: field('integer'), value })),
  fc.boolean().map((value) => ({ meta: field('boolean'), value })),
  fc.jsonValue().map((value) => ({ meta: field('json'), value: JSON.parse(JSON.stringify(value)) })),
  fc
    .integer({ min: 0, max: 100_000_000 })
    .map((minutes) => ({ meta: field('date-time'), value: new Date(minutes * 60_000).toISOString() })),
  fc
    .dictionary(fc.string({ minLength: 1 }), fc.string(), { maxKeys: 4, noNullPrototype: true })
    .map((value) => ({ meta: field('key-values'), value })),
);

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc
      .dictionary(fc.stringMatching(/^[a-z]{1,4}$/), tie('sample'), {
        minKeys: 1,
        maxKeys: 3,
        noNullPrototype: true,
      })
      .map((members) => ({
        meta: field('object', {
          fields: Object.fromEntries(Object.entries(members).map(([k, m]) => [k, m.meta])),
        }),
        value: Object.fromEntries(Object.entries(members).map(([k, m]) => [k, m.value])),
      })),
    fc.tuple(tie('sample'), fc.integer({ min: 0, max: 12 })).map(([one, count]) => ({
      meta: field('list', { item: one.meta }),
      value: Array.from({ length: count }, () => one.value),
    })),
  ),
}));

/** Returns what a form's inputs post for a value, implemented independently of the reader. */
function write(data: FormData, name: string, field: FieldMeta, value: unknown): void {
  if (field.kind === 'object') {
    for (const [member, inner] of Object.entries(field.fields ?? {})) {
      write(data, memberInputName(name, member), inner, (value as Record<string, unknown>)[member]);
    }
  } else if (field.kind === 'list') {
    data.append(listMarkerName(name), '');
    for (const [row, item] of (value as unknown[]).entries()) {
      write(data, memberInputName(name, row), field.item!, item);
    }
  } else if (field.kind === 'key-values') {
    data.append(listMarkerName(name), '');
    for (const [row, [key, text]] of Object.entries(value as Record<string, string>).entries()) {
      data.append(keyInputName(name, row), key);
      data.append(valueInputName(name, row), text);
    }
  } else if (field.kind === 'date-time') {
    data.append(name, formatFieldDateTime(value as string, 'Asia/Tokyo'));
    data.append(zoneInputName(name), 'Asia/Tokyo');
  } else if (field.kind === 'json') {
    data.append(name, JSON.stringify(value));
  } else {
    if (field.kind === 'boolean') data.append(name, 'false');
    if (field.kind !== 'boolean' || value) data.append(name, String(value));
  }
}
