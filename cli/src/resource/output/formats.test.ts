import type { FieldMeta } from '@yagura/core/resource/field';
import { describe, expect, test } from 'vitest';
import { testTerminal } from '../../../test/test-terminal.ts';
import { parseOutputFormat } from './output-format.ts';
import {
  createPresenter,
  labelOf,
  nameReferences,
  plainValue,
  presentCell,
  presentValue,
} from './present-value.ts';
import { printCount, writeItem, writeRows } from './write-output.ts';

const field = (kind: FieldMeta['kind'], more: Partial<FieldMeta> = {}): FieldMeta => ({
  kind,
  required: true,
  nullable: true,
  ...more,
});
const { t } = (await testTerminal()).terminal;
const presenter = { ...createPresenter({ language: 'en', t }, new Map([['s', 'web']])), timeZone: 'UTC' };
const brief = { ...presenter, exact: false };
const transport = {
  origin: 'http://space.example',
  fetch: () => Promise.reject(new Error('nothing is fetched')),
};

describe('a value', () => {
  test.each<[unknown, FieldMeta | undefined, string]>([
    [null, field('text'), '-'],
    [undefined, undefined, '-'],
    ['', field('text'), '-'],
    [0, field('integer'), '0'],
    ['a\nb', field('text'), 'a b'],
    [{ a: 1 }, undefined, '{"a":1}'],
    [true, field('boolean'), t('value.true')],
    [false, field('boolean'), t('value.false')],
    [90, field('seconds'), '1 minute 30 seconds'],
    ['incident', field('choice'), t('value.incident')],
    ['no-word-for-this', field('choice'), 'no-word-for-this'],
    ['s', field('reference'), 'web'],
    ['x', field('reference'), 'x'],
    [['s', 'x'], field('list', { item: field('reference') }), 'web, x'],
    [
      { displayName: 'web', severity: null },
      field('object', { fields: {} }),
      `${t('label.displayName')} web, ${t('label.severity')} -`,
    ],
  ])('%j of %j is shown as %j', (value, meta, expected) => {
    expect(presentValue(value, meta, presenter).text).toBe(expected);
  });

  test('has the style of its choice, and a missing one is dim', () => {
    const meta = field('choice', { tones: { incident: 'danger' } });
    expect(presentValue('incident', meta, presenter).style).toBe('danger');
    expect(presentValue('normal', meta, presenter).style).toBeUndefined();
    expect(presentValue(null, meta, presenter).style).toBe('dim');
  });

  test('that is nested is brief in a table', () => {
    const nested = (value: object) => presentValue(value, field('object', { fields: {} }), brief).text;
    expect(nested({ displayName: 'web', id: 1 })).toBe('web');
    expect(nested({ displayName: '', a: 1, b: 2 })).toBe('1/2');
    expect(nested({ a: 1, b: null, c: 'x', d: '' })).toBe('1 x');
  });

  test('of a time or an id has a short form for a crowded table', () => {
    const now = Date.parse('2026-02-01T00:00:00Z');
    const at = '2026-01-31T09:05:07.000Z';
    expect(presentCell(at, field('date-time'), brief, now).short).toMatch(/^\S*31\S* 09:05$/);
    expect(presentCell(null, field('date-time'), brief, now)).not.toHaveProperty('short');
    expect(presentValue(at, field('date-time'), presenter).text).toContain(':07');
    expect(presentValue(at, field('date-time'), brief).text).not.toContain(':07');
    const id = '01a1fea7-056f-700d-b199-539c2daf013a';
    expect(presentCell(id, field('id'), brief, now).short).toBe('01a1fea7…013a');
    expect(presentCell('short', field('id'), brief, now).short).toBe('short');
    expect(presentCell(id, field('text'), brief, now)).not.toHaveProperty('short');
  });

  test('has the names of what it refers to, however deep', () => {
    const meta = field('object', {
      fields: { one: field('reference'), many: field('list', { item: field('reference') }) },
    });
    expect(nameReferences({ one: 's', many: ['s', 'x'], other: 's' }, meta, presenter.names)).toEqual({
      ...{ one: 'web', many: ['web', 'x'], other: 's' },
    });
    expect(nameReferences(null, meta, presenter.names)).toBeNull();
    expect(nameReferences({ a: 's' }, field('json'), presenter.names)).toEqual({ a: 's' });
  });

  test('for a program is complete and on one line', () => {
    expect([null, undefined, 0, false, 'x', ['a'], { a: 1 }].map(plainValue)).toEqual([
      ...['', '', '0', 'false', 'x', '["a"]', '{"a":1}'],
    ]);
  });

  test.each([
    ['scopeId', 'scopeId', t('label.id')],
    ['displayName', 'scopeId', t('label.displayName')],
    ['noSuchLabel', 'scopeId', 'noSuchLabel'],
  ])('%s is labelled', (name, own, expected) => expect(labelOf(name, t, own)).toBe(expected));
});

describe('the output format', () => {
  const known = ['a', 'b'];
  test.each([
    [{}, undefined],
    [{ json: 'b,a' }, { kind: 'json', fields: ['b', 'a'], expression: '', raw: false }],
    [{ output: 'json' }, { kind: 'json', fields: undefined }],
    [
      { output: 'csv', raw: true },
      { kind: 'csv', raw: true },
    ],
    [
      { output: 'json', jq: '.a' },
      { kind: 'jq', expression: '.a', fields: undefined },
    ],
    [
      { template: '{{a}}', json: 'a' },
      { kind: 'template', expression: '{{a}}', fields: ['a'] },
    ],
    [
      { output: 'yaml', json: 'a' },
      { kind: 'yaml', fields: ['a'] },
    ],
  ])('of %j is %j', (options, expected) => {
    const format = parseOutputFormat(options, known);
    if (expected === undefined) expect(format).toBeUndefined();
    else expect(format).toMatchObject(expected);
  });

  test.each([
    [{ output: 'xml' }, 'cli.usage.choice'],
    [{ raw: true }, 'cli.usage.raw'],
    [{ output: 'json', raw: true }, 'cli.usage.raw'],
    [{ output: 'yaml', jq: '.' }, 'cli.usage.together'],
    [{ jq: '.', template: 'x' }, 'cli.usage.together'],
    [{ json: true as const }, 'cli.usage.json-fields'],
  ])('of %j is refused', (options, messageKey) => {
    expect(() => parseOutputFormat(options, known)).toThrow(expect.objectContaining({ messageKey }));
  });
});

describe('rows', () => {
  const shape = { fields: { a: field('text'), n: field('integer') }, columns: ['a', 'n'], id: 'a' };
  const rows = [
    { a: '=1+1', n: -5 },
    { a: 'x,"y"\n', n: null },
  ];
  const write = async (options: object, live = false, data: object[] = rows) => {
    const { terminal, out } = await testTerminal({ live });
    const format = parseOutputFormat(options, ['a', 'n']);
    expect(await writeRows(terminal, data as never, shape, format, transport)).toBe(data.length);
    return out();
  };

  test.each([
    ['csv', {}, 'a,n\r\n\'=1+1,-5\r\n"x,""y""\n",\r\n'],
    ['csv', { raw: true }, 'a,n\r\n=1+1,-5\r\n"x,""y""\n",\r\n'],
    ['csv', { json: 'n' }, 'n\r\n-5\r\n\r\n'],
    ['ndjson', {}, '{"a":"=1+1","n":-5}\n{"a":"x,\\"y\\"\\n","n":null}\n'],
    ['ndjson', { json: 'n' }, '{"n":-5}\n{"n":null}\n'],
    ['json', { json: 'n' }, '[{"n":-5},{"n":null}]\n'],
    ['yaml', { json: 'n' }, '- n: -5\n- n: null\n'],
  ])('as %s with %j', async (output, more, expected) =>
    expect(await write({ output, ...more })).toBe(expected),
  );

  test.each([{}, { raw: true }])('as csv with %j do not control a terminal', async (more) => {
    const hostile = [{ a: 'x\x1b]52;c;eA==\x07', n: 1 }];
    expect(await write({ output: 'csv', ...more }, true, hostile)).toBe('a,n\r\nx\\x1b]52;c;eA==\\x07,1\n');
    expect(await write({ output: 'csv', ...more }, false, hostile)).toBe(`a,n\r\n${hostile[0]!.a},1\r\n`);
  });

  test('by a template end with a line break each', async () => {
    expect(await write({ template: '{{a}}!' })).toBe('=1+1!\nx,"y"\n!\n');
  });

  test('into a pipe are fields between tabs, and on a terminal a table, or nothing', async () => {
    expect(await write({})).toBe('=1+1\t-5\nx,"y"\\n\t\n');
    const table = await write({}, true);
    expect(table.split('\n')).toHaveLength(4);
    expect(table.split('\n')[1]).toMatch(/^=1\+1\s+-5$/);
    expect(await write({}, true, [])).toBe('');
    expect((await write({ output: 'table' })).split('\n')).toHaveLength(4);
    expect(await write({ output: 'json' }, false, [])).toBe('[]\n');
  });

  test('are counted for a person where not all are shown', async () => {
    const said = async (shown: number, total: number, live = true) => {
      const { terminal, err } = await testTerminal({ live });
      printCount(terminal, shown, total, 'scopes');
      return err();
    };
    expect(await said(0, 0)).toBe(`${t('cli.list.none', { noun: 'scopes' })}\n`);
    expect(await said(1, 2)).toBe(`${t('cli.list.part', { shown: 1, total: 2, noun: 'scopes' })}\n`);
    expect(await said(2, 2)).toBe('');
    expect(await said(0, 0, false)).toBe('');
  });
});

describe('an item', () => {
  const shape = {
    fields: { a: field('text'), o: field('object'), j: field('json'), l: field('list') },
    columns: ['a', 'o', 'j', 'l'],
    id: 'a',
  };
  const write = async (row: object, options: object = {}, live = true) => {
    const { terminal, out } = await testTerminal({ live });
    await writeItem(
      terminal,
      row as never,
      shape,
      parseOutputFormat(options, Object.keys(shape.fields)),
      transport,
    );
    return out();
  };

  test('on a terminal has a line for each field that is there, with what is nested below its label', async () => {
    const text = await write({ a: 'x', j: { deep: { b: 1 } }, l: ['p', 'q'] });
    const lines = text.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ID +x$/);
    expect(lines.slice(1, 7)).toEqual([
      expect.stringMatching(/^j */),
      ...['  {', '    "deep": {', '      "b": 1', '    }', '  }'],
    ]);
    expect(lines[7]).toMatch(/^l +p, q$/);
    expect(text).not.toMatch(/^o /m);
  });

  test('in a pipe has every field, also those that are no columns', async () => {
    expect(await write({ a: 'x\ty', extra: { b: 1 } }, {}, false)).toBe('a\tx\\ty\nextra\t{"b":1}\n');
  });

  test('as data is one document', async () => {
    expect(await write({ a: 'x', o: null }, { json: 'a' }, false)).toBe('{"a":"x"}\n');
    expect(await write({ a: 'x' }, { output: 'csv' }, false)).toBe('a,o,j,l\r\nx,,,\r\n');
    expect(JSON.parse(await write({ a: 'x' }, { output: 'json' }))).toEqual({ a: 'x' });
  });
});
