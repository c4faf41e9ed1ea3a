// A length of time as a number and the unit it is counted in.

import { formatDuration } from '@yagura/core/format/duration';
import type { FieldFacts } from '@yagura/core/resource/field';
import { useState } from 'react';
import { classes } from './classes.ts';
import { type ControlProps, controlClass } from './field-frame.tsx';
import { secondUnits, unitName } from './form-data.ts';
import { useWords } from './words.tsx';

export function SecondsInput(props: {
  control: ControlProps;
  facts: FieldFacts;
  value: unknown;
  required: boolean;
}) {
  const { t } = useWords();
  const { facts, value } = props;
  const [unit, setUnit] = useState(() => unitOf(value, facts));
  const known = typeof value === 'number' ? String(value / unitOf(value, facts)) : String(value ?? '');
  const range = facts.min !== undefined && facts.max !== undefined;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <input
        {...props.control}
        type="number"
        step="any"
        required={props.required}
        min={facts.min === undefined ? undefined : facts.min / unit}
        max={facts.max === undefined ? undefined : facts.max / unit}
        defaultValue={known}
        className={classes(controlClass, 'h-8 w-28! tabular-nums')}
      />
      <select
        name={unitName(props.control.name)}
        aria-label={t('ui.unit')}
        value={unit}
        onChange={(event) => setUnit(Number(event.target.value))}
        className={classes(controlClass, 'h-8 w-auto!')}
      >
        {secondUnits.map((size) => (
          <option key={size} value={size}>
            {t(`ui.unit-${size}`)}
          </option>
        ))}
      </select>
      {range && (
        <span className="text-xs text-muted">
          {t('ui.range', { min: formatDuration(facts.min!, t), max: formatDuration(facts.max!, t) })}
        </span>
      )}
    </div>
  );
}

/** The largest unit that counts the value, or the bounds of an empty field, in whole numbers. */
function unitOf(value: unknown, facts: FieldFacts): number {
  const numbers =
    typeof value === 'number' && value > 0 ? [value] : [facts.min ?? 1].filter((bound) => bound > 0);
  return secondUnits.find((size) => numbers.every((number) => number % size === 0)) ?? 1;
}
