// Edits the steps of a flow. The whole flow travels as JSON in one hidden input named `<name>.$json`, which `readForm` reads.
import type { Step } from '@yagura/core/alerthub/flow';
import type { FieldMeta } from '@yagura/core/resource/field';
import { jsonName, memberName } from '../ui/form-data.ts';
import { useTranslation } from '../ui/words.tsx';
import { CatalogueRows, type Picked } from './catalogue-rows.tsx';
import { dataPaths } from './data-paths.ts';
import { paramFields, sentParams } from './param-fields.ts';
import { stepSentence } from './step-sentence.ts';

/** An item of the lookup list `rule-operators`. */
export interface OperatorItem {
  operatorId: string;
  displayName: { en: string; ja: string };
  kind: 'test' | 'transform';
  /** JSON Schema of its parameters. */
  params: unknown;
}

/** `facts` are those of the field, from the face of rules or triggers; `purpose` says what an empty flow means and which data can be read. */
export function FlowEditor(props: {
  name?: string;
  meta: FieldMeta;
  value: { steps: Step[] } | undefined;
  operators: OperatorItem[];
  purpose: 'rule' | 'trigger';
  hint?: string;
}) {
  const { t, label } = useTranslation();
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
  const stepOf = ({ id, params }: Picked): Step => ({
    operatorId: id,
    params: sentParams(id, fields.get(id), params),
  });

  return (
    <CatalogueRows
      name={memberName(name, 'steps')}
      label={label(name)}
      hint={props.hint}
      idName="operatorId"
      words="operator"
      entries={entries}
      value={(props.value?.steps ?? []).map(({ operatorId, params }) => ({
        id: operatorId,
        params: params ?? {},
      }))}
      rowLabel={(number) => t('alerthub.step', { number })}
      addLabel={t('alerthub.add-step')}
      emptyText={t(`alerthub.no-steps-${props.purpose}`)}
      sentence={(picked) => stepSentence(stepOf(picked), kinds.get(picked.id), t)}
      paths={dataPaths[props.purpose]}
      max={props.meta.fields?.steps?.max}
    >
      {(rows) => (
        <input type="hidden" name={jsonName(name)} value={JSON.stringify({ steps: rows.map(stepOf) })} />
      )}
    </CatalogueRows>
  );
}
