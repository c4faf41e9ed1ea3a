// Time zone input: typed with suggestions, or selected from whole-hour offsets; defaults to the browser's
// time zone.
import { isTimeZone, localTimeZone, timeZoneNames, utcOffsets } from '@yagura/core/time/time-zone';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { type ControlProps, controlClass } from '../field/field-frame.tsx';
import { useTranslation } from '../translation.tsx';

/**
 * `utcOnly` restricts the choice to UTC-12 to UTC+14; the value null is shown as empty. `onChange` gets every
 * valid time zone.
 */
export function TimeZoneInput(props: {
  control: ControlProps;
  value: unknown;
  required: boolean;
  utcOnly?: boolean;
  onChange?: (zone: string) => void;
}) {
  const { t, timeZone } = useTranslation();
  const { control, onChange } = props;
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const given = typeof props.value === 'string' && props.value ? props.value : undefined;
  const [chosen, setChosen] = useState(given ?? (props.value === null ? '' : undefined));
  // The page's time zone is reliable only after hydration.
  const zone = chosen ?? (props.utcOnly ? 'UTC' : timeZone);
  const fine = zone === '' ? !props.required : isTimeZone(zone);

  useEffect(() => {
    input.current?.setCustomValidity(fine || zone === '' ? '' : t('rule.timeZone'));
  }, [fine, zone, t]);

  function choose(text: string) {
    setChosen(text);
    if (isTimeZone(text)) onChange?.(text);
  }

  if (props.utcOnly) {
    const known = utcOffsets.includes(zone) ? utcOffsets : [zone, ...utcOffsets];
    return (
      <select
        {...control}
        required={props.required}
        value={zone}
        onChange={(event) => choose(event.target.value)}
        className={classNames(controlClass, 'h-8 max-w-48')}
      >
        {known.map((offset) => (
          <option key={offset}>{offset}</option>
        ))}
      </select>
    );
  }
  return (
    <div className="flex max-w-md flex-wrap items-center gap-2">
      <input
        {...control}
        ref={input}
        list={list}
        required={props.required}
        value={zone}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={fine ? control['aria-invalid'] : true}
        onChange={(event) => choose(event.target.value.trim())}
        className={classNames(controlClass, 'h-8 min-w-40 flex-1')}
      />
      <datalist id={list}>
        {timeZoneNames().map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Button size="small" onClick={() => choose(localTimeZone())}>
        {t('ui.local-zone')}
      </Button>
    </div>
  );
}
