// Field for what a trigger runs: an action or a runbook.
import { useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { controlClass, controlProps, FieldFrame } from '../../ui/field/field-frame.tsx';
import { memberInputName } from '../../ui/field/form-data.ts';
import { useFormError } from '../../ui/field/form-errors.ts';
import { ReferenceInput } from '../../ui/input/reference-input.tsx';
import { useTranslation } from '../../ui/translation.tsx';

const kinds = ['action', 'runbook'] as const;

/**
 * The inputs are named `target.kind` and `target.id` so that `readForm` reads them with the field's metadata.
 */
export function TargetField(props: {
  name?: string;
  value: { kind: string; id: string } | undefined;
  choices: Record<(typeof kinds)[number], Record<string, { name: string }>>;
  hint?: string;
}) {
  const { t, fieldLabel } = useTranslation();
  const [kind, setKind] = useState(kinds.find((known) => known === props.value?.kind) ?? 'action');
  const name = props.name ?? 'target';
  const id = memberInputName(name, 'id');
  const own = useFormError(id);
  const fieldset = useFormError(name, true);
  const kindFrame = { name: memberInputName(name, 'kind'), label: fieldLabel('target'), required: true };
  const frame = {
    name: id,
    label: fieldLabel(kind === 'action' ? 'actionId' : 'runbookId'),
    required: true,
    hint: props.hint,
    error: own ?? fieldset,
  };
  return (
    <div className="grid gap-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <FieldFrame {...kindFrame}>
        <select
          {...controlProps(kindFrame)}
          value={kind}
          onChange={(event) => setKind(event.target.value === 'runbook' ? 'runbook' : 'action')}
          className={classNames(controlClass, 'h-8')}
        >
          {kinds.map((one) => (
            <option key={one} value={one}>
              {t(`value.${one}`)}
            </option>
          ))}
        </select>
      </FieldFrame>
      <FieldFrame {...frame}>
        <ReferenceInput
          key={kind}
          control={controlProps(frame)}
          options={props.choices[kind]}
          resource={kind}
          value={props.value?.kind === kind ? props.value.id : undefined}
          required
          label={frame.label}
        />
      </FieldFrame>
    </div>
  );
}
