// Every field and choice of every resource has a text in both languages. Screens and commands show the name of
// a field without one.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { resources } from '../all.ts';
import type { AnyResource } from '../resource/define-resource.ts';
import { type FieldMeta, shapeFields } from '../resource/field.ts';
import { en } from './en/all.ts';
import { ja } from './ja/all.ts';
import { missingTexts } from './missing-texts.ts';
import type { Translations } from './translator.ts';

/** Constants of protocols, numbers and names of roles are shown as they are. */
const isName = (choice: string) => /^[A-Z\d-]+$/.test(choice) || choice.includes(':');

/** A sentence for each missing text, which says what to add and where. */
function missingLabels(resource: AnyResource, dictionaries: Record<string, Translations>): string[] {
  const wanted: [string, string][] = [];
  const where = `${resource.app}/${resource.name}`;
  const check = (key: string, what: string) => wanted.push([key, `${where}: ${what}`]);
  const visitFields = (fields: Record<string, FieldMeta>) => {
    for (const [name, field] of Object.entries(fields)) {
      check(`label.${name}`, `the field "${name}"`);
      visit(name, field);
    }
  };
  const visit = (name: string, field: FieldMeta) => {
    for (const choice of field.options ?? [])
      if (!isName(choice)) check(`value.${choice}`, `the choice "${choice}" of the field "${name}"`);
    if (field.item) visit(name, field.item);
    visitFields(field.fields ?? {});
    for (const variant of Object.values(field.variants ?? {})) visitFields(variant);
  };
  const schemas = [
    resource.shape,
    resource.input,
    ...Object.values(resource.calls).flatMap(({ body, query }) => [body, query]),
  ];
  for (const schema of schemas) if (schema instanceof z.ZodObject) visitFields(shapeFields(schema));
  return [...new Set(missingTexts('label', wanted, dictionaries))];
}

test.each(resources.map((resource) => [`${resource.app}/${resource.name}`, resource] as const))(
  '%s has a text for each field and choice',
  (_name, resource) => {
    expect(missingLabels(resource, { en, ja }).join('\n')).toBe('');
  },
);

test('says which text is missing, and in which file', () => {
  const [resource] = resources.filter(({ name }) => name === 'trigger');
  const { 'label.filterId': _label, 'value.runbook': _choice, ...incomplete } = ja as Translations;
  expect(missingLabels(resource!, { en, ja: incomplete })).toEqual([
    `alerthub/trigger: the field "filterId" has no text. Add 'label.filterId' to core/src/i18n/ja/label.ts.`,
    `alerthub/trigger: the choice "runbook" of the field "kind" has no text. Add 'value.runbook' to core/src/i18n/ja/label.ts.`,
  ]);
});
