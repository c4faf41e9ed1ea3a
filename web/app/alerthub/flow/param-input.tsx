// Input for one parameter of a step or condition; reports every change, undefined if empty.
import { useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import {
  controlClass,
  controlProps,
  FieldFrame,
  FieldNotes,
  type FrameProps,
} from '../../ui/field/field-frame.tsx';
import { useFormError } from '../../ui/field/form-errors.ts';
import { KeyValuesInput } from '../../ui/input/key-values-input.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import type { ParamField } from './param-fields.ts';

export interface ParamInputProps {
  field: ParamField;
  /** Dotted path in the request body. */
  name: string;
  label: string;
  required: boolean;
  value: unknown;
  onChange: (value: unknown) => void;
  optionLabel: (option: string) => string;
  /** Id of the datalist with the known data paths. */
  pathList: string;
}

export function ParamInput(props: ParamInputProps) {
  const { t } = useTranslation();
  const { field, name, label, required } = props;
  const error = useFormError(name, true);
  const value = props.value === undefined ? field.default : props.value;
  const hint = field.kind === 'texts' ? t('alerthub.one-per-line') : undefined;
  const frame: FrameProps = { name, label, required, error, hint };
  const control = controlProps(frame);

  if (field.kind === 'boolean') {
    return (
      <div className="grid content-start gap-1">
        <label className="inline-flex min-h-8 items-center gap-2 text-sm">
          <input
            id={control.id}
            type="checkbox"
            checked={value === true}
            onChange={(event) => props.onChange(event.target.checked)}
            className="size-4"
          />
          {label}
        </label>
        <FieldNotes {...frame} />
      </div>
    );
  }
  if (field.kind === 'key-values') {
    return <KeyValuesInput frame={frame} value={value} onChange={props.onChange} />;
  }
  if (field.kind === 'choice') {
    return (
      <FieldFrame {...frame}>
        <select
          {...control}
          required={required}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => props.onChange(event.target.value || undefined)}
          className={classNames(controlClass, 'h-8')}
        >
          <option value="">{t('rule.select')}</option>
          {field.options?.map((option) => (
            <option key={option} value={option}>
              {props.optionLabel(option)}
            </option>
          ))}
        </select>
      </FieldFrame>
    );
  }
  return (
    <FieldFrame {...frame}>
      <TextParamInput {...props} value={value} control={control} />
    </FieldFrame>
  );
}

/** Keeps the text as typed and reports the parsed value. */
function TextParamInput(props: ParamInputProps & { control: ReturnType<typeof controlProps> }) {
  const { field, control, required } = props;
  const [inputValue, setInputValue] = useState(() => formatParam(field, props.value));
  const change = (text: string) => {
    setInputValue(text);
    props.onChange(parseParam(field, text));
  };
  const common = {
    ...control,
    required,
    value: inputValue,
    spellCheck: false,
    autoComplete: 'off',
  };
  if (field.kind === 'texts' || field.kind === 'template' || field.kind === 'json') {
    return (
      <textarea
        {...common}
        rows={3}
        onChange={(event) => change(event.target.value)}
        className={classNames(
          controlClass,
          'max-h-80 min-h-16 resize-y py-1.5 font-mono text-xs [field-sizing:content]',
        )}
      />
    );
  }
  const number = field.kind === 'number' || field.kind === 'integer';
  return (
    <input
      {...common}
      type={number ? 'number' : 'text'}
      step={number ? (field.kind === 'integer' ? 1 : 'any') : undefined}
      min={number ? field.min : undefined}
      max={number ? field.max : undefined}
      maxLength={number ? undefined : field.max}
      list={field.format === 'data-path' ? props.pathList : undefined}
      onChange={(event) => change(event.target.value)}
      className={classNames(
        controlClass,
        'h-8',
        field.kind === 'code' && 'font-mono text-xs',
        number && 'tabular-nums',
      )}
    />
  );
}

function formatParam(field: ParamField, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (field.kind === 'texts' && Array.isArray(value)) return value.join('\n');
  if (field.kind === 'json') return JSON.stringify(value, null, 2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Parses the typed text for a field; text that cannot be parsed stays a string so that the server's error
 * names the parameter.
 */
function parseParam(field: ParamField, text: string): unknown {
  switch (field.kind) {
    case 'number':
    case 'integer':
      return text.trim() === '' ? undefined : Number.isFinite(Number(text)) ? Number(text) : text;
    case 'number-or-text':
      if (text === '') return undefined;
      // A number with more digits than a double keeps stays a text.
      return /^\d{1,9}$/.test(text) || String(Number(text)) === text ? Number(text) : text;
    case 'texts': {
      const lines = text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean);
      return lines.length > 0 ? lines : undefined;
    }
    case 'json':
      try {
        return text.trim() === '' ? undefined : JSON.parse(text);
      } catch {
        return text;
      }
    default:
      // An empty string is a valid value if the schema allows it.
      return text === '' && (field.min ?? 0) > 0 ? undefined : text;
  }
}
