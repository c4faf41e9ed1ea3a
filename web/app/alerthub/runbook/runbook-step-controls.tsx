// Fields of the form of a runbook step; their names are paths below the step.
import { type ReactNode, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import {
  type ControlProps,
  controlClass,
  controlProps,
  FieldFrame,
  FieldNotes,
} from '../../ui/field/field-frame.tsx';
import { useFormError } from '../../ui/field/form-errors.ts';
import { ReferenceInput } from '../../ui/input/reference-input.tsx';
import { useTranslation } from '../../ui/translation.tsx';

/** Names of the resources to choose from, by id. */
export type StepOptions = Record<string, { name: string }>;

interface FieldProps {
  name: string;
  /** The label of the name if absent. */
  label?: string;
  required?: boolean;
}

/** `reason` is an error that is known before the server is asked. */
export function StepField(
  props: FieldProps & { reason?: string; children: (control: ControlProps) => ReactNode },
) {
  const { fieldLabel } = useTranslation();
  const replied = useFormError(props.name, true);
  const frame = {
    name: props.name,
    label: props.label ?? fieldLabel(props.name),
    required: props.required ?? false,
    error: props.reason ?? replied,
  };
  return <FieldFrame {...frame}>{props.children(controlProps(frame))}</FieldFrame>;
}

export function StepTextField(
  props: FieldProps & { value: string; maxLength: number; onChange: (value: string) => void },
) {
  return (
    <StepField {...props}>
      {(control) => (
        <input
          {...control}
          className={classNames(controlClass, 'h-8')}
          required={props.required}
          maxLength={props.maxLength}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </StepField>
  );
}

export function StepSelectField(
  props: FieldProps & {
    value: string | null | undefined;
    emptyText: string;
    options: [value: string, name: string][];
    onChange: (value: string) => void;
  },
) {
  return (
    <StepField {...props}>
      {(control) => (
        <select
          {...control}
          className={classNames(controlClass, 'h-8')}
          required={props.required}
          value={props.value ?? ''}
          onChange={(event) => props.onChange(event.target.value)}
        >
          <option value="">{props.emptyText}</option>
          {props.options.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </StepField>
  );
}

export function StepReferenceField(props: {
  name: string;
  resource: string;
  options: StepOptions;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const { fieldLabel } = useTranslation();
  return (
    <StepField name={props.name} required>
      {(control) => (
        <ReferenceInput
          control={control}
          options={props.options}
          resource={props.resource}
          value={props.value}
          required
          label={fieldLabel(props.name)}
          onChange={(id) => props.onChange(id || undefined)}
        />
      )}
    </StepField>
  );
}

/** Keeps the text as typed: a lone minus sign is no number yet, and must not be replaced by one. */
export function StepNumberField(
  props: FieldProps & {
    min: number;
    max: number;
    value: number | null | undefined;
    onChange: (value: number | null) => void;
  },
) {
  const [inputValue, setInputValue] = useState(String(props.value ?? ''));
  return (
    <StepField {...props}>
      {(control) => (
        <input
          {...control}
          type="number"
          className={classNames(controlClass, 'h-8 tabular-nums')}
          required={props.required}
          min={props.min}
          max={props.max}
          step={1}
          value={inputValue}
          onChange={(event) => {
            setInputValue(event.target.value);
            props.onChange(event.target.value === '' ? null : Number(event.target.value));
          }}
        />
      )}
    </StepField>
  );
}

export function StepCheckbox(props: {
  name: string;
  label?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const { fieldLabel } = useTranslation();
  const error = useFormError(props.name);
  const frame = { name: props.name, label: props.label ?? fieldLabel(props.name), required: false, error };
  return (
    <div className="grid content-start gap-1">
      <label className="inline-flex min-h-8 items-center gap-2 text-sm">
        <input
          {...controlProps(frame)}
          type="checkbox"
          className="size-4"
          checked={props.checked}
          onChange={(event) => props.onChange(event.target.checked)}
        />
        {frame.label}
      </label>
      <FieldNotes {...frame} />
    </div>
  );
}
