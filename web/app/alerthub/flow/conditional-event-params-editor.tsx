// Editor for the events that a rule raises at scopes selected by attributes or display name
// (`conditionalEventParams`).
import type { ConditionalEventParam } from '@yagura/core/alerthub/flow-schema';
import type { FieldMeta } from '@yagura/core/resource/field';
import { controlProps, FieldNotes } from '../../ui/field/field-frame.tsx';
import { memberInputName } from '../../ui/field/form-data.ts';
import { useFormError } from '../../ui/field/form-errors.ts';
import { useTranslation } from '../../ui/translation.tsx';
import {
  AttributeConditions,
  type AttributeRow,
  createAttribute,
  toAttributeInput,
  toAttributeRows,
} from './attribute-conditions.tsx';
import { type EventRow, EventRows, toSourceInput } from './event-rows.tsx';
import { newChangeRow, toChangeInput, toChangeRow } from './severity-change-inputs.tsx';
import { type Source, SourceInput, toSource } from './source-input.tsx';
import { describeEvent, describeScopes } from './step-sentence.ts';

interface ConditionalEventRow extends EventRow {
  attributes: AttributeRow[];
  /** A literal text is a template. */
  scopeName: Source;
  createScope: boolean;
}

const emptySource: Source = { from: 'literal', text: '' };

function toScopeNameInput({ from, text }: Source): ConditionalEventParam['scopeName'] {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return from === 'path' ? { path: trimmed } : { template: trimmed };
}

function toScopeNameSource(scopeName: ConditionalEventParam['scopeName']): Source {
  if (!scopeName) return emptySource;
  return 'path' in scopeName
    ? { from: 'path', text: scopeName.path }
    : { from: 'literal', text: scopeName.template };
}

/** `meta` is the field's metadata from the rule resource. */
export function ConditionalEventParamsEditor(props: {
  name?: string;
  meta: FieldMeta;
  value: ConditionalEventParam[] | undefined;
}) {
  const { t, fieldLabel } = useTranslation();
  const name = props.name ?? 'conditionalEventParams';
  const attributes = props.meta.item?.fields?.attributes;
  const operators = attributes?.item?.fields?.op?.options ?? [];
  const sent = (row: ConditionalEventRow) => ({
    attributes: row.attributes.map(toAttributeInput),
    scopeName: toScopeNameInput(row.scopeName),
    createScope: row.createScope,
    severityName: toSourceInput(row.severityName),
    ...toChangeInput(row),
  });
  return (
    <EventRows<ConditionalEventRow>
      name={name}
      label={fieldLabel(name)}
      meta={props.meta}
      value={(props.value ?? []).map((param) => ({
        attributes: toAttributeRows(param.attributes),
        scopeName: toScopeNameSource(param.scopeName),
        createScope: param.createScope ?? false,
        severityName: toSource(param.severityName),
        ...toChangeRow(param),
      }))}
      emptyRow={{
        attributes: [createAttribute(0, operators[0] ?? '')],
        scopeName: emptySource,
        createScope: false,
        severityName: toSource(props.meta.item?.fields?.severityName?.default),
        ...newChangeRow,
      }}
      emptyText={t('alerthub.no-conditional-events')}
      toInput={sent}
      sentence={(row) => describeEvent(sent(row), describeScopes(sent(row), t), t)}
    >
      {(row, rowName, onChange, pathList) => (
        <div className="grid gap-2">
          <AttributeConditions
            name={memberInputName(rowName, 'attributes')}
            value={row.attributes}
            operators={operators}
            max={attributes?.max}
            pathList={pathList}
            onChange={(attributes) => onChange({ ...row, attributes })}
          />
          <SourceInput
            name={memberInputName(rowName, 'scopeName')}
            label={fieldLabel('scopeName')}
            fromLabel={t('alerthub.scope-name-from')}
            hint={t('alerthub.scope-name-hint', { example: '{{element.labels.host}}' })}
            value={row.scopeName}
            required={false}
            pathList={pathList}
            onChange={(scopeName) => onChange({ ...row, scopeName })}
          />
          <CreateScopeInput
            name={memberInputName(rowName, 'createScope')}
            value={row.createScope}
            onChange={(createScope) => onChange({ ...row, createScope })}
          />
        </div>
      )}
    </EventRows>
  );
}

function CreateScopeInput(props: { name: string; value: boolean; onChange: (createScope: boolean) => void }) {
  const { t, fieldLabel } = useTranslation();
  const frame = {
    name: props.name,
    label: fieldLabel('createScope'),
    required: false,
    error: useFormError(props.name),
    hint: t('alerthub.create-scope-hint'),
  };
  const control = controlProps(frame);
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={control.id} className="inline-flex min-h-6 items-center gap-2 text-sm font-medium">
        <input
          {...control}
          type="checkbox"
          checked={props.value}
          onChange={(event) => props.onChange(event.target.checked)}
          className="size-4"
        />
        {frame.label}
      </label>
      <FieldNotes {...frame} />
    </div>
  );
}
