// Labeled line, reference selection and number input of the form of a runbook step.
import { type ReactNode, useId } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { maxReferenceOptions } from '../../ui/references.ts';
import { useTranslation } from '../../ui/translation.tsx';

export function FormLine(props: { name?: string; label?: string; children: (id: string) => ReactNode }) {
  const { fieldLabel } = useTranslation();
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-xs font-medium text-muted">
        {props.label ?? fieldLabel(props.name!)}
      </label>
      {props.children(id)}
    </div>
  );
}

export function ReferenceSelect(props: {
  id: string;
  value: string | undefined;
  options: Record<string, { name: string }>;
  onChange: (value: string | undefined) => void;
}) {
  const { t } = useTranslation();
  const options = Object.entries(props.options);
  return (
    <>
      <select
        id={props.id}
        className={classNames(controlClass, 'h-8')}
        value={props.value ?? ''}
        onChange={(event) => props.onChange(event.target.value || undefined)}
      >
        <option value="">{t('rule.select')}</option>
        {options.map(([value, { name }]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      {options.length >= maxReferenceOptions && (
        <p className="text-xs text-muted">{t('ui.first-options', { number: maxReferenceOptions })}</p>
      )}
    </>
  );
}

export function NumberInput(props: {
  id: string;
  min: number;
  max: number;
  value: number | null;
  onChange: (value: number | null) => void;
}) {
  return (
    <input
      id={props.id}
      type="number"
      min={props.min}
      max={props.max}
      step={1}
      className={classNames(controlClass, 'h-8')}
      value={props.value ?? ''}
      onChange={(event) =>
        props.onChange(event.target.value === '' ? null : Math.trunc(Number(event.target.value)))
      }
    />
  );
}
