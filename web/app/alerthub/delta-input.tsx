// By how much an event changes a severity.
import type { FieldMeta } from '@yagura/core/resource/field';
import { classes } from '../ui/classes.ts';
import { controlClass, controlProps, FieldFrame } from '../ui/field-frame.tsx';
import { useFormError } from '../ui/form-errors.ts';
import { useTranslation } from '../ui/words.tsx';

/** What was typed, and the number it is; a text that is no number is sent as it is, so that the server names the field. */
export function deltaOf(typed: string): number | string {
  const number = Number(typed);
  return typed.trim() !== '' && Number.isFinite(number) ? number : typed;
}

export function DeltaInput(props: {
  name: string;
  meta: FieldMeta | undefined;
  value: string;
  onChange: (typed: string) => void;
}) {
  const { t, label } = useTranslation();
  const error = useFormError(props.name);
  const frame = {
    name: props.name,
    label: label('delta'),
    required: true,
    error,
    hint: t('alerthub.delta-hint'),
  };
  return (
    <FieldFrame {...frame}>
      <input
        {...controlProps(frame)}
        type="number"
        required
        step={1}
        min={props.meta?.min}
        max={props.meta?.max}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
        className={classes(controlClass, 'h-8 w-28! tabular-nums')}
      />
    </FieldFrame>
  );
}
