// What a trigger runs: one of the actions.
import { controlProps, FieldFrame } from '../ui/field-frame.tsx';
import { memberName } from '../ui/form-data.ts';
import { useFormError } from '../ui/form-errors.ts';
import { ReferenceInput } from '../ui/reference-input.tsx';
import { useWords } from '../ui/words.tsx';

/** Named so that `readForm` reads it by the facts of the field: `target.kind` and `target.id`. */
export function TargetField(props: {
  name?: string;
  value: { kind: string; id: string } | undefined;
  actions: Record<string, { name: string }>;
  hint?: string;
}) {
  const { label } = useWords();
  const name = props.name ?? 'target';
  const id = memberName(name, 'id');
  const own = useFormError(id);
  const around = useFormError(name, true);
  const frame = {
    name: id,
    label: label('actionId'),
    required: true,
    hint: props.hint,
    error: own ?? around,
  };
  return (
    <FieldFrame {...frame}>
      <input type="hidden" name={memberName(name, 'kind')} value="action" />
      <ReferenceInput
        control={controlProps(frame)}
        options={props.actions}
        value={props.value?.id}
        required
        label={frame.label}
      />
    </FieldFrame>
  );
}
