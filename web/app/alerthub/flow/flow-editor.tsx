// Editor for the steps of a flow; submits the whole flow as JSON in one hidden input named `<name>.$json`,
// which `readForm` reads.
import type { Step } from '@yagura/core/alerthub/flow-schema';
import type { FieldMeta } from '@yagura/core/resource/field';
import { jsonInputName, memberInputName } from '../../ui/field/form-data.ts';
import { useTranslation } from '../../ui/translation.tsx';
import { CatalogueRows, type PickedEntry } from './catalogue-rows.tsx';
import { useDataPaths } from './data-paths.ts';
import { paramFields, toSentParams } from './param-fields.ts';
import { describeStep } from './step-sentence.ts';

/** An item of the lookup list `rule-operators`. */
export interface OperatorItem {
  operatorId: string;
  displayName: { en: string; ja: string };
  kind: 'test' | 'transform';
  /** JSON Schema of the operator's parameters. */
  params: unknown;
}

/**
 * `meta` is the field's metadata from the rule or trigger resource; `purpose` selects the text for an empty
 * flow and the data paths offered.
 */
export function FlowEditor(props: {
  name?: string;
  meta: FieldMeta;
  value: { steps: Step[] } | undefined;
  operators: OperatorItem[];
  purpose: 'rule' | 'trigger';
  hint?: string;
}) {
  const { t, fieldLabel } = useTranslation();
  const paths = useDataPaths(props.purpose);
  const name = props.name ?? 'flow';
  const groups = { test: t('alerthub.tests'), transform: t('alerthub.transforms') };
  const entries = props.operators.map((operator) => ({
    id: operator.operatorId,
    displayName: operator.displayName,
    group: groups[operator.kind],
    fields: paramFields(operator.params),
  }));
  const kinds = new Map(props.operators.map((operator) => [operator.operatorId, operator.kind]));
  const fields = new Map(entries.map((entry) => [entry.id, entry.fields]));
  const stepOf = ({ id, params }: PickedEntry): Step => ({
    operatorId: id,
    params: toSentParams(id, fields.get(id), params),
  });

  return (
    <CatalogueRows
      name={memberInputName(name, 'steps')}
      label={fieldLabel(name)}
      hint={props.hint}
      idField="operatorId"
      keyPrefix="operator"
      entries={entries}
      value={(props.value?.steps ?? []).map(({ operatorId, params }) => ({
        id: operatorId,
        params: params ?? {},
      }))}
      rowLabel={(number) => t('alerthub.step', { number })}
      addLabel={t('alerthub.add-step')}
      emptyText={t(`alerthub.no-steps-${props.purpose}`)}
      describe={(picked) => describeStep(stepOf(picked), kinds.get(picked.id), t)}
      dataPaths={paths}
      max={props.meta.fields?.steps?.max}
    >
      {(rows) => (
        <input type="hidden" name={jsonInputName(name)} value={JSON.stringify({ steps: rows.map(stepOf) })} />
      )}
    </CatalogueRows>
  );
}
