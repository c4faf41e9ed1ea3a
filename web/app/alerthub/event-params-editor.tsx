// Edits the events that a rule raises at named scopes (`eventParams`).
import type { EventParam } from '@yagura/core/alerthub/flow';
import type { FieldMeta } from '@yagura/core/resource/field';
import { controlProps, FieldFrame } from '../ui/field-frame.tsx';
import { memberName } from '../ui/form-data.ts';
import { useFormError } from '../ui/form-errors.ts';
import { ReferenceInput } from '../ui/reference-input.tsx';
import { useTranslation } from '../ui/words.tsx';
import { deltaOf } from './delta-input.tsx';
import { type EventRow, EventRows, sentSource } from './event-rows.tsx';
import { sourceOf } from './source-input.tsx';
import { eventSentence } from './step-sentence.ts';

interface Row extends EventRow {
  scopeId: string;
}

type Scopes = Record<string, { name: string }>;

/** `facts` are those of the field, from the face of rules. */
export function EventParamsEditor(props: {
  name?: string;
  meta: FieldMeta;
  value: EventParam[] | undefined;
  scopes: Scopes;
}) {
  const { t, label } = useTranslation();
  const name = props.name ?? 'eventParams';
  const sent = (row: Row) => ({
    scopeId: row.scopeId,
    severityName: sentSource(row.severityName),
    delta: deltaOf(row.delta),
  });
  return (
    <EventRows<Row>
      name={name}
      label={label(name)}
      meta={props.meta}
      value={(props.value ?? []).map((param) => ({
        scopeId: param.scopeId,
        severityName: sourceOf(param.severityName),
        delta: String(param.delta),
      }))}
      fresh={{
        scopeId: '',
        severityName: sourceOf(props.meta.item?.fields?.severityName?.default),
        delta: '1',
      }}
      emptyText={t('alerthub.no-events')}
      sent={sent}
      sentence={(row) => eventSentence(sent(row), props.scopes[row.scopeId]?.name ?? (row.scopeId || '…'), t)}
    >
      {(row, rowName, onChange) => (
        <ScopeInput
          name={memberName(rowName, 'scopeId')}
          scopes={props.scopes}
          value={row.scopeId}
          onChange={(scopeId) => onChange({ ...row, scopeId })}
        />
      )}
    </EventRows>
  );
}

function ScopeInput(props: { name: string; scopes: Scopes; value: string; onChange: (id: string) => void }) {
  const { label } = useTranslation();
  const error = useFormError(props.name);
  const frame = { name: props.name, label: label('scopeId'), required: true, error };
  return (
    <FieldFrame {...frame}>
      <ReferenceInput
        control={controlProps(frame)}
        options={props.scopes}
        value={props.value}
        required
        label={frame.label}
        onChange={props.onChange}
      />
    </FieldFrame>
  );
}
