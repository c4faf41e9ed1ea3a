// Duration input: a number and its unit.

import { formatDuration } from '@yagura/core/format/duration';
import type { FieldMeta } from '@yagura/core/resource/field';
import { useState } from 'react';
import { classNames } from '../class-names.ts';
import { type ControlProps, controlClass } from '../field/field-frame.tsx';
import { secondUnits, unitInputName } from '../field/form-data.ts';
import { useTranslation } from '../translation.tsx';

export function SecondsInput(props: {
  control: ControlProps;
  meta: FieldMeta;
  value: unknown;
  required: boolean;
}) {
  const { t } = useTranslation();
  const { meta, value } = props;
  const [unit, setUnit] = useState(() => initialUnit(value, meta));
  const known = typeof value === 'number' ? String(value / initialUnit(value, meta)) : String(value ?? '');
  const range = meta.min !== undefined && meta.max !== undefined;
  const inWords = (bound: number | undefined) => (bound === undefined ? undefined : formatDuration(bound, t));
  const units = secondUnits.filter((size) => size === unit || meta.max === undefined || size <= meta.max);
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <input
        {...props.control}
        type="number"
        step="any"
        required={props.required}
        min={meta.min === undefined ? undefined : meta.min / unit}
        max={meta.max === undefined ? undefined : meta.max / unit}
        data-min-text={inWords(meta.min)}
        data-max-text={inWords(meta.max)}
        defaultValue={known}
        className={classNames(controlClass, 'h-8 w-28! tabular-nums')}
      />
      <select
        name={unitInputName(props.control.name)}
        aria-label={t('ui.unit')}
        value={unit}
        onChange={(event) => setUnit(Number(event.target.value))}
        className={classNames(controlClass, 'h-8 w-auto!')}
      >
        {units.map((size) => (
          <option key={size} value={size}>
            {t(`ui.unit-${size}`)}
          </option>
        ))}
      </select>
      {range && (
        <span className="text-xs text-muted">
          {t('ui.range', { min: inWords(meta.min)!, max: inWords(meta.max)! })}
        </span>
      )}
    </div>
  );
}

/** Returns the largest unit in which the value (if none or 0, the lower bound) is an integer, else seconds. */
function initialUnit(value: unknown, field: FieldMeta): number {
  const seconds = (typeof value === 'number' && value) || field.min || 1;
  return secondUnits.find((size) => seconds % size === 0) ?? 1;
}
