// Weekday toggles, Monday first; at least one must be selected.
import { type WeekDay, weekDays } from '@yagura/core/time/week-day';
import { useEffect, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { FieldGroup, type FrameProps } from '../field/field-frame.tsx';
import { listMarkerName, memberInputName } from '../field/form-data.ts';
import { useTranslation } from '../translation.tsx';

export function WeekdayGroup(props: {
  frame: FrameProps;
  value: readonly WeekDay[];
  onChange?: (days: WeekDay[]) => void;
}) {
  const { t } = useTranslation();
  const { frame } = props;
  const [days, setDays] = useState<readonly WeekDay[]>(props.value);
  const first = useRef<HTMLInputElement>(null);
  const chosen = weekDays.filter((day) => days.includes(day));

  useEffect(() => {
    first.current!.setCustomValidity(days.length > 0 ? '' : t('rule.weekDays'));
  }, [days, t]);

  function toggle(day: WeekDay, on: boolean) {
    const next = weekDays.filter((each) => (each === day ? on : days.includes(each)));
    setDays(next);
    props.onChange?.(next);
  }

  return (
    <FieldGroup {...frame} error={frame.error ?? (days.length === 0 ? t('rule.weekDays') : undefined)}>
      <input type="hidden" name={listMarkerName(frame.name)} value="" />
      {chosen.map((day, index) => (
        <input key={day} type="hidden" name={memberInputName(frame.name, index)} value={day} />
      ))}
      <div className="flex flex-wrap gap-1">
        {weekDays.map((day, index) => (
          <label
            key={day}
            title={t(`schedule.day.${day}`)}
            className={classNames(
              'inline-flex h-8 min-w-10 cursor-pointer items-center justify-center rounded-md border px-2 text-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              days.includes(day)
                ? 'border-primary bg-selected font-semibold text-primary-hover'
                : 'border-line-strong/60 hover:bg-hover',
            )}
          >
            <input
              ref={index === 0 ? first : undefined}
              type="checkbox"
              checked={days.includes(day)}
              aria-label={t(`schedule.day.${day}`)}
              onChange={(event) => toggle(day, event.target.checked)}
              className="sr-only"
            />
            <span aria-hidden="true">{t(`schedule.dayShort.${day}`)}</span>
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
