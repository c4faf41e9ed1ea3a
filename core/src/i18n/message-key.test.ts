import { describe, expect, test } from 'vitest';
import { isRole } from '../access/role-map.ts';
import { importStatuses } from '../alerthub/bulk/bulk-job.ts';
import { bulkKindNames } from '../alerthub/bulk/bulk-kind-names.ts';
import { conditions } from '../alerthub/engine/evaluation/trigger-conditions.ts';
import { operators } from '../alerthub/engine/operators/operators.ts';
import { recipes } from '../alerthub/recipes/recipes.ts';
import { resources } from '../all.ts';
import { inputFields, itemFields } from '../resource/define-resource.ts';
import type { FieldMeta } from '../resource/field.ts';
import { en } from './en/all.ts';
import { dataKey, storedKey } from './message-key.ts';
import { missingTexts } from './missing-texts.ts';
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
const isName = (option: string) => /^[A-Z\d-]+$/.test(option) || isRole(option);

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('keys that come from data have a text', () => {
  test.each(fieldsOf)('choices of %s', (_name, fields) => {
    const options = fields.flatMap(([, field]) => (field.kind === 'choice' ? (field.options ?? []) : []));
    const shown = options.filter((option) => option !== '' && !isName(option));
    expect(shown.filter((option) => !(dataKey(`value.${option}`) in dictionary))).toEqual([]);
  });

  test.each<[what: string, file: string, keyOf: (value: string) => string, values: readonly string[]]>([
    [
      'operator',
      'operator',
      (value) => dataKey(`operator.${value}`),
      operators.map(({ operatorId }) => operatorId),
    ],
    [
      'condition',
      'operator',
      (value) => dataKey(`condition.${value}`),
      conditions.map(({ conditionId }) => conditionId),
    ],
    ['status', 'why', (value) => dataKey(`why.status.${value}`), ['normal', 'warning', 'incident']],
    ['month', 'schedule', (value) => dataKey(`schedule.month.${Number(value)}`), range(1, 12).map(String)],
    ['ordinal', 'schedule', (value) => dataKey(`schedule.ordinal.${Number(value)}`), range(1, 5).map(String)],
    ['file of settings', 'bulk', (value) => dataKey(`bulk.kind.${value}`), bulkKindNames],
    // A failed import shows its reason instead.
    [
      'import status',
      'bulk',
      (value) => dataKey(`bulk.${value}-text`),
      importStatuses.filter((status) => status !== 'failed'),
    ],
    ['app', 'space', (value) => dataKey(`users.app-${value}`), [...new Set(resources.map(({ app }) => app))]],
    ['verb', 'cli', (value) => dataKey(`cli.verb.${value}`), ['list', 'show', 'create', 'edit', 'delete']],
    [
      'name of the recipe',
      'recipe',
      (value) => dataKey(`recipe.${value}.title`),
      recipes.filter(({ product }) => product === null).map(({ name }) => name),
    ],
    ['recipe', 'recipe', (value) => dataKey(`recipe.${value}.about`), recipes.map(({ name }) => name)],
    [
      'setup of the recipe',
      'recipe',
      (value) => dataKey(`recipe.${value}.setup`),
      recipes.map(({ name }) => name),
    ],
  ])('%s', (what, file, keyOf, values) => {
    expect(values.length).toBeGreaterThan(0);
    const texts = values.map((value) => [keyOf(value), `The ${what} "${value}"`] as const);
    expect(missingTexts(file, texts)).toEqual([]);
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
