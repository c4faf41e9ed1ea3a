import { missingTexts } from '@yagura/core/i18n/missing-texts';
import type { Translate } from '@yagura/core/i18n/translator';
import type { FieldKind } from '@yagura/core/resource/field';
import { kindTraits } from '@yagura/core/resource/field-kinds';
import { expect, test } from 'vitest';
import { exportColumnNames, importColumnNames, jobColumns } from '../alerthub/bulk/job-columns.ts';
import { planColumnNames } from '../alerthub/bulk/plan-view.ts';
import { filterOperatorKey } from '../resource/filter/filter-operator-key.ts';
import { operatorsFor } from '../resource/filter/filter-rows.ts';
import { deviceTypes } from '../sonar/diagram/device-types.ts';

test('every comparison of a filter has a text', () => {
  const kinds = Object.keys(kindTraits) as FieldKind[];
  const texts = kinds.flatMap((kind) => {
    const meta = { kind, required: false, nullable: true };
    return operatorsFor(meta).map(
      (op) => [filterOperatorKey(meta, op), `The comparison "${op}" of ${kind}`] as const,
    );
  });
  expect(missingTexts('web', texts)).toEqual([]);
});

test('every column of imports and exports has a text', () => {
  const t = ((key: string) => key) as Translate;
  const columns = [
    ...jobColumns('imports', importColumnNames, t),
    ...jobColumns('exports', exportColumnNames, t),
  ].map(({ name, label }) => [label, `The column "${name}"`] as const);
  const planned = (['errors', 'all'] as const)
    .flatMap((view) => planColumnNames(view))
    .map((name) => [`bulk.column.${name}`, `The column "${name}"`] as const);
  expect(missingTexts('bulk', [...columns, ...planned])).toEqual([]);
});

test('every device type of a diagram has a text', () => {
  const texts = [...deviceTypes, 'subnet', 'unknown'].map(
    (type) => [`diagram.type.${type}`, `The device type "${type}"`] as const,
  );
  expect(missingTexts('diagram', texts)).toEqual([]);
});
