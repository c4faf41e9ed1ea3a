// Button next to a text input that opens the native date picker and fills the input.
import { type RefObject, useRef } from 'react';
import { IconButton } from '../button.tsx';
import { useTranslation } from '../translation.tsx';

/** `from` and `to` convert the text to the value of a control of that type and back. */
export function CalendarButton(props: {
  type: 'date' | 'datetime-local';
  text: RefObject<HTMLInputElement | null>;
  from: (text: string) => string;
  to: (value: string) => string;
}) {
  const { t } = useTranslation();
  const picker = useRef<HTMLInputElement>(null);

  function open() {
    picker.current!.value = props.from(props.text.current!.value.trim());
    picker.current!.showPicker();
  }

  return (
    <span className="relative">
      <IconButton
        icon="calendar"
        variant="default"
        size="medium"
        label={t('ui.open-calendar')}
        onClick={open}
      />
      <input
        ref={picker}
        type={props.type}
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          props.text.current!.value = props.to(event.target.value);
          props.text.current!.dispatchEvent(new Event('input', { bubbles: true }));
        }}
        className="pointer-events-none absolute bottom-0 left-0 size-0 overflow-hidden border-0 p-0 opacity-0"
      />
    </span>
  );
}
