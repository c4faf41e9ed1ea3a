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
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <input
        {...props.control}
        type="number"
        step="any"
        required={props.required}
        min={meta.min === undefined ? undefined : meta.min / unit}
        max={meta.max === undefined ? undefined : meta.max / unit}
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
        {secondUnits.map((size) => (
          <option key={size} value={size}>
            {t(`ui.unit-${size}`)}
          </option>
        ))}
      </select>
      {range && (
        <span className="text-xs text-muted">
          {t('ui.range', { min: formatDuration(meta.min!, t), max: formatDuration(meta.max!, t) })}
        </span>
      )}
    </div>
  );
}

/** Returns the largest unit in which the value (or, if empty, the lower bound) is an integer. */
function initialUnit(value: unknown, field: FieldMeta): number {
  const numbers =
    typeof value === 'number' && value > 0 ? [value] : [field.min ?? 1].filter((bound) => bound > 0);
  return secondUnits.find((size) => numbers.every((number) => number % size === 0)) ?? 1;
}
