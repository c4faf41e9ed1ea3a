// Date-time input (yyyy/MM/dd HH:mm) in the page's time zone, with the native date picker.
import { formatFieldDateTime, parseFieldDateTime } from '@yagura/core/format/date-time';
import { useRef } from 'react';
import { classNames } from '../class-names.ts';
import { type ControlProps, controlClass } from '../field/field-frame.tsx';
import { shownInputName, zoneInputName } from '../field/form-data.ts';
import { useTranslation } from '../translation.tsx';
import { CalendarButton } from './calendar-button.tsx';

export function DateTimeInput(props: { control: ControlProps; value: unknown; required: boolean }) {
  const { t, timeZone } = useTranslation();
  const shown = typeof props.value === 'string' ? props.value : '';
  const text = useRef<HTMLInputElement>(null);

  function check() {
    const inputValue = text.current!.value.trim();
    const fine = inputValue === '' || parseFieldDateTime(inputValue, timeZone) !== undefined;
    text.current!.setCustomValidity(fine ? '' : t('ui.date-time-bad'));
  }

  return (
    // Remounted when the browser has reported its time zone: the same local time would be another instant.
    <div key={timeZone} className="flex w-[290px] max-w-full items-center gap-1 md:w-150">
      <input
        {...props.control}
        ref={text}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        required={props.required}
        defaultValue={shown && formatFieldDateTime(shown, timeZone)}
        placeholder="yyyy/MM/dd HH:mm"
        onInput={check}
        className={classNames(controlClass, 'h-8 min-w-0 tabular-nums')}
      />
      <input type="hidden" name={zoneInputName(props.control.name)} value={timeZone} />
      {shown && <input type="hidden" name={shownInputName(props.control.name)} value={shown} />}
      <CalendarButton
        type="datetime-local"
        text={text}
        from={(inputValue) => inputValue.replaceAll('/', '-').replace(' ', 'T')}
        to={(value) => value.replaceAll('-', '/').replace('T', ' ').slice(0, 16)}
      />
      <span className="shrink-0 text-xs text-muted">{timeZone}</span>
    </div>
  );
}
