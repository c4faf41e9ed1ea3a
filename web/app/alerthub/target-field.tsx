// What a trigger runs: one of the actions, or one of the runbooks.
import { useState } from 'react';
import { classes } from '../ui/classes.ts';
import { controlClass, controlProps, FieldFrame } from '../ui/field-frame.tsx';
import { memberName } from '../ui/form-data.ts';
import { useFormError } from '../ui/form-errors.ts';
import { ReferenceInput } from '../ui/reference-input.tsx';
import { useTranslation } from '../ui/words.tsx';

const kinds = ['action', 'runbook'] as const;

/** Named so that `readForm` reads it by the facts of the field: `target.kind` and `target.id`. */
export function TargetField(props: {
  name?: string;
  value: { kind: string; id: string } | undefined;
  choices: Record<(typeof kinds)[number], Record<string, { name: string }>>;
  hint?: string;
}) {
  const { t, label } = useTranslation();
  const [kind, setKind] = useState(kinds.find((known) => known === props.value?.kind) ?? 'action');
  const name = props.name ?? 'target';
  const id = memberName(name, 'id');
  const own = useFormError(id);
  const around = useFormError(name, true);
  const kindFrame = { name: memberName(name, 'kind'), label: label('target'), required: true };
  const frame = {
    name: id,
    label: label(kind === 'action' ? 'actionId' : 'runbookId'),
    required: true,
    hint: props.hint,
    error: own ?? around,
  };
  return (
    <div className="grid gap-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <FieldFrame {...kindFrame}>
        <select
          {...controlProps(kindFrame)}
          value={kind}
          onChange={(event) => setKind(event.target.value === 'runbook' ? 'runbook' : 'action')}
          className={classes(controlClass, 'h-8')}
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
          value={props.value?.kind === kind ? props.value.id : undefined}
          required
          label={frame.label}
        />
      </FieldFrame>
    </div>
  );
}
