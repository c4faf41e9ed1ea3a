// Control for a single value, by field kind.
import type { FieldKind, FieldMeta } from '@yagura/core/resource/field';
import type { ReactElement } from 'react';
import { classNames } from '../class-names.ts';
import { controlClass, controlProps, type FrameProps } from '../field/field-frame.tsx';
import type { ReferenceOptions } from '../references.ts';
import { useTranslation } from '../translation.tsx';
import { DateInput } from './date-input.tsx';
import { DateTimeInput } from './date-time-input.tsx';
import { ReferenceInput } from './reference-input.tsx';
import { RruleInput } from './rrule-input.tsx';
import { SecondsInput } from './seconds-input.tsx';
import { TimeZoneInput } from './time-zone-input.tsx';

type ScalarKind = Exclude<FieldKind, 'boolean' | 'list' | 'key-values' | 'object' | 'variant'>;

/** Control for a kind with a single value; needs its own accessible name if there is no label above. */
export function ScalarInput(props: {
  meta: FieldMeta;
  /** The kind of `meta`, which is none with members or a checkbox. */
  kind: ScalarKind;
  frame: FrameProps;
  value: unknown;
  references?: ReferenceOptions;
  optionLabel?: (option: string) => string;
  hasOwnLabel?: boolean;
}): ReactElement {
  const { t, choiceLabel: word } = useTranslation();
  const { meta, kind, frame, value } = props;
  const control = { ...controlProps(frame), ...(props.hasOwnLabel ? { 'aria-label': frame.label } : {}) };
  const text =
    value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const line = classNames(controlClass, 'h-8');
  const area = classNames(controlClass, 'min-h-20 resize-y py-1.5 [field-sizing:content] max-h-[60dvh]');
  const bounds = { minLength: meta.min, maxLength: meta.units ?? meta.max };
  const select = (labelOf: (option: string) => string) => {
    const options = meta.options ?? [];
    return (
      <select {...control} required={frame.required} defaultValue={text} className={line}>
        {(!text || !frame.required) && <option value="">{t('rule.select')}</option>}
        {/* A stored value that is no longer allowed stays until the user picks another. */}
        {(text && !options.includes(text) ? [text, ...options] : options).map((option) => (
          <option key={option} value={option}>
            {labelOf(option)}
          </option>
        ))}
      </select>
    );
  };
  switch (kind) {
    case 'long-text':
      return (
        <textarea
          {...control}
          {...bounds}
          required={frame.required}
          rows={3}
          defaultValue={text}
          className={area}
        />
      );
    case 'template':
      if (meta.max !== undefined && meta.max <= maxSingleLineLength) {
        return (
          <input
            {...control}
            {...bounds}
            type="text"
            required={frame.required}
            spellCheck={false}
            autoComplete="off"
            defaultValue={text}
            className={classNames(line, 'font-mono text-xs')}
          />
        );
      }
      return (
        <textarea
          {...control}
          {...bounds}
          required={frame.required}
          rows={4}
          spellCheck={false}
          defaultValue={text}
          className={classNames(area, 'font-mono text-xs')}
        />
      );
    case 'json':
      return (
        <textarea
          {...control}
          required={frame.required}
          rows={4}
          spellCheck={false}
          defaultValue={value === undefined || value === null ? '' : JSON.stringify(value, null, 2)}
          onInput={(event) =>
            event.currentTarget.setCustomValidity(isJson(event.currentTarget.value) ? '' : t('rule.json'))
          }
          className={classNames(area, 'font-mono text-xs')}
        />
      );
    case 'choice':
      return select(props.optionLabel ?? word);
    case 'reference':
      return (
        <ReferenceInput
          control={control}
          options={props.references?.[meta.resource ?? ''] ?? {}}
          resource={meta.resource ?? ''}
          value={value}
          required={frame.required}
          label={frame.label}
        />
      );
    case 'date':
      return <DateInput control={control} value={text} required={frame.required} />;
    case 'date-time':
      return <DateTimeInput control={control} value={value} required={frame.required} />;
    case 'rrule':
      return <RruleInput control={control} value={text} />;
    case 'time-zone':
      return <TimeZoneInput control={control} value={value} required={frame.required} />;
    case 'seconds':
      return <SecondsInput control={control} meta={meta} value={value} required={frame.required} />;
    case 'integer':
    case 'number':
    case 'bytes':
      if (meta.options) return select((option) => option);
      return (
        <input
          {...control}
          type="number"
          step={kind === 'number' ? 'any' : 1}
          min={meta.min}
          max={meta.max}
          required={frame.required}
          defaultValue={text}
          className={classNames(line, 'max-w-48 tabular-nums')}
        />
      );
    case 'id':
    case 'text':
    case 'email':
    case 'url':
    case 'secret':
      return (
        <input
          {...control}
          {...bounds}
          type={inputTypes[kind]}
          required={frame.required}
          defaultValue={text}
          autoComplete={kind === 'secret' ? 'new-password' : 'off'}
          spellCheck={kind === 'text' ? undefined : false}
          className={line}
        />
      );
  }
}

/** Templates up to this many characters use a single-line input. */
const maxSingleLineLength = 1000;

const inputTypes = { id: 'text', text: 'text', email: 'email', url: 'url', secret: 'password' };

function isJson(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
