// A day typed as YYYY-MM-DD, with the platform's own calendar beside it.
import { isDate } from '@yagura/core/rules/date';
import { useRef } from 'react';
import { CalendarButton } from './calendar-button.tsx';
import { classes } from './classes.ts';
import { type ControlProps, controlClass } from './field-frame.tsx';
import { useTranslation } from './words.tsx';

export function DateInput(props: { control: ControlProps; value: string; required: boolean }) {
  const { t } = useTranslation();
  const text = useRef<HTMLInputElement>(null);
  return (
    <div className="flex w-44 max-w-full items-center gap-1">
      <input
        {...props.control}
        ref={text}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        required={props.required}
        defaultValue={props.value}
        placeholder="YYYY-MM-DD"
        onInput={(event) => {
          const typed = event.currentTarget.value.trim();
          event.currentTarget.setCustomValidity(typed === '' || isDate(typed) ? '' : t('rule.date'));
        }}
        className={classes(controlClass, 'h-8 tabular-nums')}
      />
      <CalendarButton type="date" text={text} from={(typed) => typed} to={(value) => value} />
    </div>
  );
}
