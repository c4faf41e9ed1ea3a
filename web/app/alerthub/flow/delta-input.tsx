// Input for an event's severity change.
import type { FieldMeta } from '@yagura/core/resource/field';
import { classNames } from '../../ui/class-names.ts';
import { controlClass, controlProps, FieldFrame } from '../../ui/field/field-frame.tsx';
import { useFormError } from '../../ui/field/form-errors.ts';
import { useTranslation } from '../../ui/translation.tsx';

/**
 * Parses the typed number. Text that is not a number is submitted unchanged so that the server's error names
 * the field.
 */
export function parseDelta(inputValue: string): number | string {
  const number = Number(inputValue);
  return inputValue.trim() !== '' && Number.isFinite(number) ? number : inputValue;
}

export function DeltaInput(props: {
  name: string;
  meta: FieldMeta | undefined;
  value: string;
  onChange: (inputValue: string) => void;
}) {
  const { t, fieldLabel } = useTranslation();
  const error = useFormError(props.name);
  const frame = {
    name: props.name,
    label: fieldLabel('delta'),
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
        className={classNames(controlClass, 'h-8 w-28! tabular-nums')}
      />
    </FieldFrame>
  );
}
