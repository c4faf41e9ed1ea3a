// Field for the quiet hours of a callflow: weekly windows in one time zone, or none. Submitted as JSON in one
// hidden input.
import { maxQuietWindows } from '@yagura/core/pigeon/call-constants';
import type { QuietHours, QuietWindow } from '@yagura/core/schedule/quiet-hours';
import { weekDays } from '@yagura/core/time/week-day';
import { useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { controlClass, controlProps, FieldFrame, FieldGroup } from '../ui/field/field-frame.tsx';
import { jsonInputName, memberInputName } from '../ui/field/form-data.ts';
import { useFormError } from '../ui/field/form-errors.ts';
import { RowList } from '../ui/field/row-list.tsx';
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
      <RowList
        rows={rows}
        onChange={change}
        label={fieldLabel(name)}
        newValue={newWindow}
        max={maxQuietWindows}
        isFramed
      >
        {(window, index) => (
          <WindowInput
            name={memberInputName(windowsName, index)}
            value={window}
            onChange={(next) => change({ kind: 'set', index, value: next })}
          />
        )}
      </RowList>
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
    <div className="grid gap-2">
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
