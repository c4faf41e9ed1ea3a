import type { FieldMeta } from '@yagura/core/resource/field';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { optionalField as field } from '../../../test/optional-field.ts';
import { resources } from '../../resource/meta/resources.ts';
import { fieldOptions, formFields, parseFieldTexts, toFieldTexts } from './form-fields.ts';

const fields = {
  displayName: field('text', { required: true }),
  remarks: field('long-text', { default: '' }),
  recoveryTime: field('seconds', { nullable: true, default: null }),
  disabled: field('boolean', { default: false }),
  emails: field('list', { item: field('email') }),
  kind: field('choice', { required: true, options: ['webhook', 'email'] }),
  parameters: field('variant', {
    required: true,
    by: 'kind',
    variants: {
      webhook: { url: field('url', { required: true }), headers: field('key-values', { default: {} }) },
      email: { to: field('email', { required: true }) },
    },
  }),
  thresholds: field('object', { fields: { warning: field('number', { default: 1 }) } }),
};

describe('a form', () => {
  test('has a line for every field, and the parts of the variant that is chosen', () => {
    const paths = (texts: Record<string, string>) => formFields(fields, texts).map(({ path }) => path);
    expect(paths({ kind: 'webhook' })).toContain('parameters.url');
    expect(paths({ kind: 'email' })).toEqual(
      expect.arrayContaining(['parameters.to', 'thresholds.warning', 'remarks']),
    );
    expect(paths({}).some((path) => path.startsWith('parameters.'))).toBe(false);
  });

  test.each([
    [
      { displayName: 'a', kind: 'email', 'parameters.to': 'a@b.example' },
      {
        displayName: 'a',
        remarks: '',
        recoveryTime: null,
        disabled: false,
        kind: 'email',
        parameters: { to: 'a@b.example' },
        thresholds: { warning: 1 },
      },
    ],
    [
      {
        remarks: 'one\\ntwo \\\\n',
        recoveryTime: '60',
        disabled: 'true',
        emails: '[a@b.example]',
        'thresholds.warning': '2.5',
      },
      {
        remarks: 'one\ntwo \\n',
        recoveryTime: 60,
        disabled: true,
        emails: ['a@b.example'],
        thresholds: { warning: 2.5 },
        parameters: {},
      },
    ],
    [
      { recoveryTime: '1h30m' },
      { remarks: '', recoveryTime: 5400, disabled: false, thresholds: { warning: 1 }, parameters: {} },
    ],
    [
      { recoveryTime: 'soon' },
      { remarks: '', recoveryTime: 'soon', disabled: false, thresholds: { warning: 1 }, parameters: {} },
    ],
  ])('says %j', (texts, body) => expect(parseFieldTexts(fields, texts, parse)).toEqual({ body, errors: [] }));

  test('names the field of a text that cannot be taken apart', () => {
    expect(parseFieldTexts(fields, { emails: '[a' }, parse).errors).toMatchObject([{ path: 'emails' }]);
  });

  test('what is there comes back as it was, for every resource', () => {
    for (const { name, input } of resources) {
      if (!input) continue;
      const row = rowOf(input);
      const { body, errors } = parseFieldTexts(input, toFieldTexts(input, row), parse);
      expect({ name, errors, body }).toEqual({ name, errors: [], body: row });
    }
  });

  test.each([
    [field('boolean', { required: true }), ['true', 'false']],
    [field('choice', { options: ['a', 'b'] }), ['', 'a', 'b']],
    [field('text'), undefined],
  ])('choices of %j', (one, options) => expect(fieldOptions(one)).toEqual(options));
});

/** A value for every field, including texts that are hard to preserve. */
function rowOf(fields: Record<string, FieldMeta>): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(fields)) row[name] = valueFor(one, row);
  return row;
}

function valueFor(one: FieldMeta, around: Record<string, unknown>): unknown {
  if (one.by) return rowOf(one.variants?.[String(around[one.by])] ?? {});
  if (one.options) return one.kind === 'integer' ? Number(one.options[0]) : one.options[0];
  if (one.fields) return rowOf(one.fields);
  const plain: Partial<Record<FieldMeta['kind'], unknown>> = {
    'long-text': 'one\ntwo \\n: [監視]',
    template: '{{#a}}\n{{/a}}',
    integer: 3,
    number: -1.5,
    date: '2026-01-31',
    seconds: 60,
    bytes: 5,
    boolean: true,
    list: one.item ? [valueFor(one.item, {})] : [],
    'key-values': { 'X-A': ': [', b: "it's" },
    object: { a: { b: 'c' } },
    json: { steps: [1, null, 'x: y'] },
  };
  return plain[one.kind] ?? 'text: [x';
}
