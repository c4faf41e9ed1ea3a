import { formatFieldDateTime } from '@yagura/core/format/date-time';
import type { FieldFacts } from '@yagura/core/resource/field';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyName, listMark, memberName, readForm, valueName, zoneName } from './form-data.ts';

const fact = (kind: FieldFacts['kind'], more: Partial<FieldFacts> = {}): FieldFacts => ({
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

const cases: [name: string, facts: FieldFacts, entries: [string, string][], expected: unknown][] = [
  ['text', fact('text'), [['a', 'x']], 'x'],
  ['an empty text that may be empty', fact('text'), [['a', '']], ''],
  ['an empty text that must not be empty', fact('text', { min: 1 }), [['a', '']], undefined],
  ['an empty nullable text', fact('text', { nullable: true }), [['a', '']], null],
  ['a field that the form does not hold', fact('text'), [], undefined],
  ['long text with the line ends of a browser', fact('long-text'), [['a', 'x\r\ny']], 'x\ny'],
  ['integer', fact('integer'), [['a', ' 12 ']], 12],
  ['a negative integer', fact('integer'), [['a', '-3']], -3],
  ['a word as integer stays a word', fact('integer'), [['a', 'twelve']], 'twelve'],
  ['a hexadecimal stays text', fact('integer'), [['a', '0x10']], '0x10'],
  ['an empty integer', fact('integer'), [['a', '']], undefined],
  ['an empty integer with a default', fact('integer', { default: 5 }), [['a', '']], 5],
  ['an empty nullable integer', fact('integer', { nullable: true }), [['a', '']], null],
  ['number', fact('number'), [['a', '1.5e3']], 1500],
  ['an endless number stays text', fact('number'), [['a', '1e999']], '1e999'],
  [
    'a ticked box',
    fact('boolean'),
    [
      ['a', 'false'],
      ['a', 'true'],
    ],
    true,
  ],
  ['an unticked box', fact('boolean'), [['a', 'false']], false],
  ['no choice', fact('choice', { options: ['x'] }), [['a', '']], undefined],
  ['no choice where one is the default', fact('choice', { default: 'x' }), [['a', '']], 'x'],
  ['no reference where null is a value', fact('reference', { nullable: true }), [['a', '']], null],
  [
    'seconds in a unit',
    fact('seconds'),
    [
      ['a', '1.5'],
      ['a.$unit', '3600'],
    ],
    5400,
  ],
  [
    'seconds in minutes',
    fact('seconds'),
    [
      ['a', '2'],
      ['a.$unit', '60'],
    ],
    120,
  ],
  ['an empty JSON of an editor', fact('json', { nullable: true }), [['a.$json', ' ']], null],
  [
    'an empty JSON of an editor where there is a default',
    fact('list', { default: [] }),
    [['a.$json', '']],
    [],
  ],
  [
    'the last row that is read',
    fact('list', { item: fact('text') }),
    [
      ['a.9999', 'x'],
      ['a.10000', 'y'],
    ],
    ['x'],
  ],
  [
    'seconds in a unit that does not exist',
    fact('seconds'),
    [
      ['a', '5'],
      ['a.$unit', '7'],
    ],
    5,
  ],
  ['seconds that are a word', fact('seconds'), [['a', 'soon']], 'soon'],
  [
    'a time in its zone',
    fact('date-time'),
    [
      ['a', '2026/11/21 09:00'],
      ['a.$zone', 'Asia/Tokyo'],
    ],
    '2026-11-21T00:00:00.000Z',
  ],
  ['a time that is none stays as typed', fact('date-time'), [['a', '2026/02/30 09:00']], '2026/02/30 09:00'],
  ['json', fact('json'), [['a', '{"b":[1]}']], { b: [1] }],
  ['broken json stays as typed', fact('json'), [['a', '{b']], '{b'],
  [
    'the json of an editor wins',
    fact('object', { fields: { b: fact('text') } }),
    [
      ['a.$json', '{"b":"x"}'],
      ['a.b', 'y'],
    ],
    { b: 'x' },
  ],
  ['an empty list', fact('list', { item: fact('text') }), [['a.$list', '']], []],
  ['a list that was not drawn', fact('list', { item: fact('text') }), [], undefined],
  [
    'rows in the order of their numbers',
    fact('list', { item: fact('text') }),
    [
      ['a.10', 'z'],
      ['a.2', 'y'],
    ],
    ['y', 'z'],
  ],
  [
    'rows of objects',
    fact('list', { item: fact('object', { fields: { b: fact('integer'), c: fact('text') } }) }),
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
    fact('key-values'),
    [
      ['a.0.$key', 'k'],
      ['a.0.$value', 'v'],
      ['a.1.$key', ''],
      ['a.1.$value', ''],
    ],
    { k: 'v' },
  ],
  ['an empty key-values field', fact('key-values'), [['a.$list', '']], {}],
  [
    'a key that objects are made of',
    fact('key-values'),
    [
      ['a.0.$key', '__proto__'],
      ['a.0.$value', 'v'],
    ],
    JSON.parse('{"__proto__":"v"}'),
  ],
  [
    'a row number out of all bounds is not a row',
    fact('list', { item: fact('text') }),
    [['a.99999', 'x']],
    undefined,
  ],
];

describe('readForm', () => {
  it.each(cases)('reads %s', (_name, facts, entries, expected) => {
    expect(readForm(form(...entries), { a: facts })).toEqual(expected === undefined ? {} : { a: expected });
  });

  it('reads a variant by its sibling, below lists too', () => {
    const kind = fact('choice', { options: ['web', 'mail'] });
    const way = fact('variant', {
      by: 'kind',
      variants: { web: { url: fact('url') }, mail: { to: fact('list', { item: fact('email') }) } },
    });
    expect(
      readForm(form(['kind', 'web'], ['way.url', 'https://a.example/'], ['way.to.0', 'x']), { kind, way }),
    ).toEqual({
      kind: 'web',
      way: { url: 'https://a.example/' },
    });
    const rows = { rows: fact('list', { item: fact('object', { fields: { kind, way } }) }) };
    expect(readForm(form(['rows.3.kind', 'mail'], ['rows.3.way.to.0', 'a@b.example']), rows)).toEqual({
      rows: [{ kind: 'mail', way: { to: ['a@b.example'] } }],
    });
    expect(readForm(form(['kind', 'constructor'], ['way.url', 'x']), { kind, way })).toEqual({
      kind: 'constructor',
    });
  });

  it('gives back any value that its own names carried', () => {
    fc.assert(
      fc.property(sample, ({ facts, value }) => {
        const data = new FormData();
        write(data, 'a', facts, value);
        expect(readForm(data, { a: facts })).toEqual({ a: value });
      }),
      { numRuns: 300 },
    );
  });
});

interface Sample {
  facts: FieldFacts;
  value: unknown;
}

const scalar: fc.Arbitrary<Sample> = fc.oneof(
  fc.string().map((value) => ({ facts: fact('text'), value })),
  fc.integer().map((value) => ({ facts: fact('integer'), value })),
  fc.boolean().map((value) => ({ facts: fact('boolean'), value })),
  fc.jsonValue().map((value) => ({ facts: fact('json'), value: JSON.parse(JSON.stringify(value)) })),
  fc
    .integer({ min: 0, max: 100_000_000 })
    .map((minutes) => ({ facts: fact('date-time'), value: new Date(minutes * 60_000).toISOString() })),
  fc
    .dictionary(fc.string({ minLength: 1 }), fc.string(), { maxKeys: 4, noNullPrototype: true })
    .map((value) => ({ facts: fact('key-values'), value })),
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
        facts: fact('object', {
          fields: Object.fromEntries(Object.entries(members).map(([k, m]) => [k, m.facts])),
        }),
        value: Object.fromEntries(Object.entries(members).map(([k, m]) => [k, m.value])),
      })),
    fc.tuple(tie('sample'), fc.integer({ min: 0, max: 12 })).map(([one, count]) => ({
      facts: fact('list', { item: one.facts }),
      value: Array.from({ length: count }, () => one.value),
    })),
  ),
}));

/** What the inputs of a form post for a value, written down apart from the reader. */
function write(data: FormData, name: string, facts: FieldFacts, value: unknown): void {
  if (facts.kind === 'object') {
    for (const [member, inner] of Object.entries(facts.fields ?? {})) {
      write(data, memberName(name, member), inner, (value as Record<string, unknown>)[member]);
    }
  } else if (facts.kind === 'list') {
    data.append(listMark(name), '');
    for (const [row, item] of (value as unknown[]).entries()) {
      write(data, memberName(name, row), facts.item!, item);
    }
  } else if (facts.kind === 'key-values') {
    data.append(listMark(name), '');
    for (const [row, [key, text]] of Object.entries(value as Record<string, string>).entries()) {
      data.append(keyName(name, row), key);
      data.append(valueName(name, row), text);
    }
  } else if (facts.kind === 'date-time') {
    data.append(name, formatFieldDateTime(value as string, 'Asia/Tokyo'));
    data.append(zoneName(name), 'Asia/Tokyo');
  } else if (facts.kind === 'json') {
    data.append(name, JSON.stringify(value));
  } else {
    if (facts.kind === 'boolean') data.append(name, 'false');
    if (facts.kind !== 'boolean' || value) data.append(name, String(value));
  }
}
