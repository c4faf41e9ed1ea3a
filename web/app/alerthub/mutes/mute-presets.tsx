// Buttons that fill the form of a mute schedule for a period that begins now.
import { formatFieldDateTime } from '@yagura/core/format/date-time';
import { formatDuration } from '@yagura/core/format/duration';
import { useId, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { shownInputName } from '../../ui/field/form-data.ts';
import { useTranslation } from '../../ui/translation.tsx';

const minuteMs = 60_000;
const periodsInMinutes = [30, 60, 240, 480, 1440];

export function MutePresets() {
  const { t, timeZone } = useTranslation();
  const box = useRef<HTMLFieldSetElement>(null);
  const label = useId();
  /** The name that was filled in; one that the user typed stays. */
  const filledName = useRef('');
  /** What the filled texts stand for: in the hour that the clocks repeat, they could be another instant. */
  const [filled, setFilled] = useState({ beginAt: '', endAt: '' });

  function fill(minutes: number) {
    const form = box.current!.form!;
    const now = Date.now();
    const beginAt = Math.floor(now / minuteMs) * minuteMs;
    const begin = formatFieldDateTime(beginAt, timeZone);
    // Rounded up to the minutes of the field, so that the period is not shorter than chosen.
    const endAt = Math.ceil(now / minuteMs + minutes) * minuteMs;
    setFilled({ beginAt: new Date(beginAt).toISOString(), endAt: new Date(endAt).toISOString() });
    setInput(form, 'beginAt', begin);
    setInput(form, 'endAt', formatFieldDateTime(endAt, timeZone));
    const name = textInput(form, 'displayName');
    if (name.value.trim() !== '' && name.value !== filledName.current) return;
    filledName.current = t('mute.name-now', { time: begin });
    setInput(form, 'displayName', filledName.current);
  }

  return (
    <fieldset ref={box} aria-labelledby={label} className="mb-4 flex flex-wrap items-center gap-2">
      <span id={label} className="text-sm font-medium">
        {t('mute.from-now')}
      </span>
      {(['beginAt', 'endAt'] as const).map((name) => (
        <input key={name} type="hidden" name={shownInputName(name)} value={filled[name]} />
      ))}
      {periodsInMinutes.map((minutes) => (
        <Button key={minutes} size="small" onClick={() => fill(minutes)}>
          {formatDuration(minutes * 60, t)}
        </Button>
      ))}
    </fieldset>
  );
}

function textInput(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

/** The inputs of the form keep their values themselves; the event starts their checks. */
function setInput(form: HTMLFormElement, name: string, text: string): void {
  const input = textInput(form, name);
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
