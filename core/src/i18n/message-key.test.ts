import { describe, expect, test } from 'vitest';
import { isRole } from '../access/role-map.ts';
import { bulkKindNames } from '../alerthub/bulk/bulk-kind-names.ts';
import { conditions } from '../alerthub/engine/evaluation/trigger-conditions.ts';
import { operators } from '../alerthub/engine/operators/operators.ts';
import { resources } from '../all.ts';
import { inputFields, itemFields } from '../resource/define-resource.ts';
import type { FieldMeta } from '../resource/field.ts';
import { en } from './en/all.ts';
import { dataKey, storedKey } from './message-key.ts';
import type { Translate } from './translator.ts';
import { createTranslator } from './translator.ts';

const t: Translate = createTranslator('en', en);
const dictionary: Readonly<Record<string, string>> = en;

/** All fields of a resource, with the members of nested ones. */
function* allFields(fields: Record<string, FieldMeta>): Generator<[name: string, FieldMeta]> {
  for (const [name, field] of Object.entries(fields)) {
    yield [name, field];
    const variants = Object.values(field.variants ?? {});
    for (const inner of [field.fields, field.item?.fields, ...variants]) if (inner) yield* allFields(inner);
    if (field.item) yield [name, field.item];
  }
}

const fieldsOf = resources.map(
  (resource) =>
    [resource.name, [...allFields({ ...itemFields(resource), ...inputFields(resource) })]] as const,
);

/** Names that are displayed as they are. */
const isName = (option: string) => /^[A-Z]+$/.test(option) || isRole(option);

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('keys that come from data have a text', () => {
  test.each(fieldsOf)('choices of %s', (_name, fields) => {
    const options = fields.flatMap(([, field]) => (field.kind === 'choice' ? (field.options ?? []) : []));
    const shown = options.filter((option) => option !== '' && !isName(option));
    expect(shown.filter((option) => !(dataKey(`value.${option}`) in dictionary))).toEqual([]);
  });

  test.each<[string, (value: string) => string, readonly string[]]>([
    ['operators', (value) => dataKey(`operator.${value}`), operators.map(({ operatorId }) => operatorId)],
    [
      'conditions',
      (value) => dataKey(`condition.${value}`),
      conditions.map(({ conditionId }) => conditionId),
    ],
    ['statuses', (value) => dataKey(`why.status.${value}`), ['normal', 'warning', 'incident']],
    ['months', (value) => dataKey(`schedule.month.${Number(value)}`), range(1, 12).map(String)],
    ['ordinals', (value) => dataKey(`schedule.ordinal.${Number(value)}`), range(1, 5).map(String)],
    ['files of settings', (value) => dataKey(`bulk.kind.${value}`), bulkKindNames],
    ['apps', (value) => dataKey(`users.app-${value}`), [...new Set(resources.map(({ app }) => app))]],
    ['verbs', (value) => dataKey(`cli.verb.${value}`), ['list', 'show', 'create', 'edit', 'delete']],
  ])('%s', (_name, keyOf, values) => {
    expect(values.length).toBeGreaterThan(0);
    expect(values.map(keyOf).filter((key) => !(key in dictionary))).toEqual([]);
  });
});

test('an unknown key of older data is displayed as it is', () => {
  expect(t(storedKey('why.removed'), { name: 'x' })).toBe('why.removed');
});

test('the compiler knows keys and parameters', () => {
  const mistakes = () => [
    // @ts-expect-error: no such key
    t('ui.yess'),
    // @ts-expect-error: plural forms have one key
    t('factor.codes-left_one', { count: 1 }),
    // @ts-expect-error: a parameter is missing
    t('why.seen'),
    // @ts-expect-error: a parameter is misspelled
    t('why.seen', { vallue: 1 }),
    // @ts-expect-error: a parameter is not in the text
    t('why.nothing', { value: 1 }),
    // @ts-expect-error: no such group of data keys
    dataKey('cli.usage.unknown'),
  ];
  expect(mistakes).not.toThrow();
  expect(t('why.seen', { value: 1 })).toBe('"1"');
});
