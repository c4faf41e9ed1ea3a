// A moment typed as yyyy/MM/dd HH:mm in the page's time zone, with the platform's own calendar beside it.
import { formatFieldDateTime, parseFieldDateTime } from '@yagura/core/format/date-time';
import { useRef } from 'react';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';
import { type ControlProps, controlClass } from './field-frame.tsx';
import { zoneName } from './form-data.ts';
import { useWords } from './words.tsx';

export function DateTimeInput(props: { control: ControlProps; value: unknown; required: boolean }) {
  const { t, timeZone } = useWords();
  const text = useRef<HTMLInputElement>(null);
  const picker = useRef<HTMLInputElement>(null);

  function check() {
    const typed = text.current!.value.trim();
    const fine = typed === '' || parseFieldDateTime(typed, timeZone) !== undefined;
    text.current!.setCustomValidity(fine ? '' : t('ui.date-time-bad'));
  }

  function open() {
    picker.current!.value = text.current!.value.trim().replaceAll('/', '-').replace(' ', 'T');
    picker.current!.showPicker();
  }

  return (
    <div className="flex w-72 max-w-full items-center gap-1 md:w-150">
      <input
        {...props.control}
        ref={text}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        required={props.required}
        defaultValue={
          typeof props.value === 'string' && props.value ? formatFieldDateTime(props.value, timeZone) : ''
        }
        placeholder="yyyy/MM/dd HH:mm"
        onInput={check}
        className={classes(controlClass, 'h-8 tabular-nums')}
      />
      <input type="hidden" name={zoneName(props.control.name)} value={timeZone} />
      <span className="relative">
        <IconButton
          icon="calendar"
          look="default"
          size="medium"
          label={t('ui.open-calendar')}
          onClick={open}
        />
        <input
          ref={picker}
          type="datetime-local"
          tabIndex={-1}
          aria-hidden="true"
          onChange={(event) => {
            text.current!.value = event.target.value.replaceAll('-', '/').replace('T', ' ').slice(0, 16);
            text.current!.dispatchEvent(new Event('input', { bubbles: true }));
          }}
          className="pointer-events-none absolute right-0 bottom-0 h-0 w-0 border-0 p-0 opacity-0"
        />
      </span>
      <span className="shrink-0 text-xs text-muted">{timeZone}</span>
    </div>
  );
}
