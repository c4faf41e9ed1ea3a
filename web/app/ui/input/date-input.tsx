// Date input (YYYY-MM-DD) with the native date picker.
import { isStorableDate } from '@yagura/core/validation/date';
import { useRef } from 'react';
import { classNames } from '../class-names.ts';
import { type ControlProps, controlClass } from '../field/field-frame.tsx';
import { useTranslation } from '../translation.tsx';
import { CalendarButton } from './calendar-button.tsx';

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
          const inputValue = event.currentTarget.value.trim();
          event.currentTarget.setCustomValidity(
            inputValue === '' || isStorableDate(inputValue) ? '' : t('rule.date'),
          );
        }}
        className={classNames(controlClass, 'h-8 tabular-nums')}
      />
      <CalendarButton type="date" text={text} from={(inputValue) => inputValue} to={(value) => value} />
    </div>
  );
}
