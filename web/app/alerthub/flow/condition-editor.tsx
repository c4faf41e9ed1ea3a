// Editor for a trigger's conditions; submits them as JSON in one hidden input, like the flow editor.
import type { Condition } from '@yagura/core/alerthub/trigger';
import type { FieldMeta } from '@yagura/core/resource/field';
import { jsonInputName } from '../../ui/field/form-data.ts';
import { useTranslation } from '../../ui/translation.tsx';
import { CatalogueRows, type PickedEntry } from './catalogue-rows.tsx';
import { paramFields, toSentParams } from './param-fields.ts';
import { describeCondition } from './step-sentence.ts';

/** An item of the lookup list `trigger-conditions`. */
export interface ConditionItem {
  conditionId: string;
  displayName: { en: string; ja: string };
  /** JSON Schema of the condition's parameters. */
  params: unknown;
}

/** `meta` is the field's metadata from the trigger resource. */
export function ConditionEditor(props: {
  name?: string;
  meta: FieldMeta;
  value: Condition[] | undefined;
  conditions: ConditionItem[];
  hint?: string;
}) {
  const { t, fieldLabel } = useTranslation();
  const name = props.name ?? 'conditions';
  const entries = props.conditions.map((condition) => ({
    id: condition.conditionId,
    displayName: condition.displayName,
    fields: paramFields(condition.params),
  }));
  const fields = new Map(entries.map((entry) => [entry.id, entry.fields]));
  const conditionOf = ({ id, params }: PickedEntry): Condition => ({
    conditionId: id,
    params: toSentParams(id, fields.get(id), params),
  });

  return (
    <CatalogueRows
      name={name}
      label={fieldLabel(name)}
      hint={props.hint}
      idField="conditionId"
      keyPrefix="condition"
      entries={entries}
      value={(props.value ?? []).map(({ conditionId, params }) => ({
        id: conditionId,
        params: params ?? {},
      }))}
      rowLabel={(number) => t('alerthub.condition', { number })}
      addLabel={t('alerthub.add-condition')}
      emptyText={t('alerthub.no-conditions')}
      describe={(picked) => describeCondition(conditionOf(picked), t)}
      dataPaths={[]}
      max={props.meta.max}
    >
      {(rows) => (
        <input type="hidden" name={jsonInputName(name)} value={JSON.stringify(rows.map(conditionOf))} />
      )}
    </CatalogueRows>
  );
}
