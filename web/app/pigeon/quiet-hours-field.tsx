// Field for the quiet hours of a callflow: weekly windows in one time zone, or none. Submitted as JSON in one
// hidden input.
import { maxQuietWindows } from '@yagura/core/pigeon/call-constants';
import type { QuietHours, QuietWindow } from '@yagura/core/schedule/quiet-hours';
import { weekDays } from '@yagura/core/time/week-day';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { controlClass, controlProps, FieldFrame, FieldGroup } from '../ui/field/field-frame.tsx';
import { jsonInputName, memberInputName } from '../ui/field/form-data.ts';
import { useFormError } from '../ui/field/form-errors.ts';
import { RowActions, useRowFocus } from '../ui/field/row-actions.tsx';
import { useRows } from '../ui/field/use-rows.ts';
import { TimeZoneInput } from '../ui/input/time-zone-input.tsx';
import { WeekdayGroup } from '../ui/input/weekday-group.tsx';
import { useTranslation } from '../ui/translation.tsx';

const name = 'quietHours';
const windowsName = memberInputName(name, 'windows');
const newWindow: QuietWindow = { weekDays, startTime: '22:00', endTime: '07:00' };

export function QuietHoursField({ value }: { value: unknown }) {
  const { t, fieldLabel, timeZone } = useTranslation();
  const known = (value ?? {}) as Partial<QuietHours>;
  const [rows, change] = useRows<QuietWindow>(known.windows ?? []);
  const { box, focusRow } = useRowFocus(rows.length);
  // The time zone of the page is reliable only after hydration.
  const [chosen, choose] = useState(known.timeZone);
  const zone = chosen ?? timeZone;
  const zoneName = memberInputName(name, 'timeZone');
  const zoneFrame = {
    name: zoneName,
    label: fieldLabel('timeZone'),
    required: true,
    error: useFormError(zoneName),
  };
  const errors = [useFormError(name), useFormError(windowsName)];
  const sent = rows.length === 0 ? null : { timeZone: zone, windows: rows.map((row) => row.value) };
  return (
    <FieldGroup
      name={name}
      label={fieldLabel(name)}
      hint={t('pigeon.quiet.hint')}
      error={errors.find(Boolean)}
      required={false}
      className="rounded-md border border-line p-3"
    >
      <input type="hidden" name={jsonInputName(name)} value={JSON.stringify(sent)} />
      {rows.length > 0 && (
        <FieldFrame {...zoneFrame}>
          <TimeZoneInput control={controlProps(zoneFrame)} value={zone} required onChange={choose} />
        </FieldFrame>
      )}
      <div ref={box} className="grid gap-1.5">
        {rows.map(({ key, value: window }, index) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would nest legends without words
          <div
            key={key}
            data-row={index}
            role="group"
            aria-label={t('ui.row', { number: index + 1 })}
            className="flex items-start gap-1.5 rounded-md border border-line p-2"
          >
            <WindowInput
              name={memberInputName(windowsName, index)}
              value={window}
              onChange={(next) => change({ kind: 'set', index, value: next })}
            />
            <RowActions
              index={index}
              count={rows.length}
              onRemove={() => {
                focusRow(index);
                change({ kind: 'remove', index });
              }}
            />
          </div>
        ))}
        <div>
          <Button
            size="small"
            icon="plus"
            data-add=""
            disabled={rows.length >= maxQuietWindows}
            aria-label={t('ui.add-to', { name: fieldLabel(name) })}
            onClick={() => {
              focusRow(rows.length);
              change({ kind: 'add', value: newWindow });
            }}
          >
            {t('ui.add')}
          </Button>
        </div>
      </div>
    </FieldGroup>
  );
}

function WindowInput(props: { name: string; value: QuietWindow; onChange: (value: QuietWindow) => void }) {
  const { fieldLabel } = useTranslation();
  const { value, onChange } = props;
  const daysName = memberInputName(props.name, 'weekDays');
  const days = {
    name: daysName,
    label: fieldLabel('weekDays'),
    required: true,
    error: useFormError(daysName, true),
  };
  return (
    <div className="grid min-w-0 flex-1 gap-2">
      <WeekdayGroup
        frame={days}
        value={value.weekDays}
        onChange={(weekDays) => onChange({ ...value, weekDays })}
      />
      <div className="flex flex-wrap gap-3">
        {(['startTime', 'endTime'] as const).map((member) => (
          <ClockTimeInput
            key={member}
            name={memberInputName(props.name, member)}
            label={fieldLabel(member)}
            value={value[member]}
            onChange={(text) => onChange({ ...value, [member]: text })}
          />
        ))}
      </div>
    </div>
  );
}

function ClockTimeInput(props: {
  name: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const { name, label } = props;
  const frame = { name, label, required: true, error: useFormError(name) };
  return (
    <FieldFrame {...frame}>
      <input
        {...controlProps(frame)}
        value={props.value}
        required
        placeholder="HH:mm"
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        onChange={(event) => props.onChange(event.target.value.trim())}
        className={classNames(controlClass, 'h-8 max-w-24 tabular-nums')}
      />
    </FieldFrame>
  );
}
