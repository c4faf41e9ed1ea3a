// Editor for the events that a rule raises at named scopes (`eventParams`).
import type { EventParam } from '@yagura/core/alerthub/flow-schema';
import type { FieldMeta } from '@yagura/core/resource/field';
import { controlProps, FieldFrame } from '../../ui/field/field-frame.tsx';
import { memberInputName } from '../../ui/field/form-data.ts';
import { useFormError } from '../../ui/field/form-errors.ts';
import { ReferenceInput } from '../../ui/input/reference-input.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { type EventRow, EventRows, toSourceInput } from './event-rows.tsx';
import { newChangeRow, toChangeInput, toChangeRow } from './severity-change-inputs.tsx';
import { toSource } from './source-input.tsx';
import { describeEvent } from './step-sentence.ts';

interface ScopedEventRow extends EventRow {
  scopeId: string;
}

type Scopes = Record<string, { name: string }>;

/** `meta` is the field's metadata from the rule resource. */
export function EventParamsEditor(props: {
  name?: string;
  meta: FieldMeta;
  value: EventParam[] | undefined;
  scopes: Scopes;
}) {
  const { t, fieldLabel } = useTranslation();
  const name = props.name ?? 'eventParams';
  const sent = (row: ScopedEventRow) => ({
    scopeId: row.scopeId,
    severityName: toSourceInput(row.severityName),
    ...toChangeInput(row),
  });
  return (
    <EventRows<ScopedEventRow>
      name={name}
      label={fieldLabel(name)}
      meta={props.meta}
      value={(props.value ?? []).map((param) => ({
        scopeId: param.scopeId,
        severityName: toSource(param.severityName),
        ...toChangeRow(param),
      }))}
      emptyRow={{
        scopeId: '',
        severityName: toSource(props.meta.item?.fields?.severityName?.default),
        ...newChangeRow,
      }}
      emptyText={t('alerthub.no-events')}
      toInput={sent}
      sentence={(row) => describeEvent(sent(row), props.scopes[row.scopeId]?.name ?? (row.scopeId || '…'), t)}
    >
      {(row, rowName, onChange) => (
        <ScopeInput
          name={memberInputName(rowName, 'scopeId')}
          scopes={props.scopes}
          value={row.scopeId}
          onChange={(scopeId) => onChange({ ...row, scopeId })}
        />
      )}
    </EventRows>
  );
}

function ScopeInput(props: { name: string; scopes: Scopes; value: string; onChange: (id: string) => void }) {
  const { fieldLabel } = useTranslation();
  const error = useFormError(props.name);
  const frame = { name: props.name, label: fieldLabel('scopeId'), required: true, error };
  return (
    <FieldFrame {...frame}>
      <ReferenceInput
        control={controlProps(frame)}
        options={props.scopes}
        resource="scope"
        value={props.value}
        required
        label={frame.label}
        onChange={props.onChange}
      />
    </FieldFrame>
  );
}
