// Value input of a filter row, by field kind.
import { formatFieldDateTime, parseFieldDateTime } from '@yagura/core/format/date-time';
import type { FieldMeta } from '@yagura/core/resource/field';
import { type ColumnType, kindTraits } from '@yagura/core/resource/field-kinds';
import { useState } from 'react';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { ReferenceFilterInput } from './reference-filter-input.tsx';

const inputClass = `${controlClass} h-8`;

/** Times and booleans have inputs of their own. */
const inputTypes: Record<ColumnType, string> = {
  text: 'text',
  uuid: 'text',
  number: 'number',
  date: 'date',
  boolean: 'text',
  time: 'text',
};

/** Reports choices as stored values, date-times as ISO timestamps and everything else as typed. */
export function FilterValueInput(props: {
  label: string;
  meta: FieldMeta;
  value: string;
  onChange: (value: string) => void;
}) {
  const { t, choiceLabel: word } = useTranslation();
  const { meta, label, value, onChange } = props;
  const [isListed, setIsListed] = useState(meta.kind === 'reference' && meta.resourceBy === undefined);
  if (isListed && meta.resource)
    return (
      <ReferenceFilterInput
        label={label}
        resource={meta.resource}
        value={value}
        onChange={onChange}
        onUnavailable={() => setIsListed(false)}
      />
    );
  if (meta.kind === 'date-time')
    return <DateTimeFilterInput label={label} value={value} onChange={onChange} />;
  if (meta.kind === 'choice' || meta.kind === 'boolean') {
    const options =
      meta.kind === 'boolean'
        ? [
            ['true', t('ui.yes')],
            ['false', t('ui.no')],
          ]
        : (meta.options ?? []).map((option) => [option, word(option)]);
    return (
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={inputClass}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      type={inputTypes[kindTraits[meta.kind].column]}
      step={kindTraits[meta.kind].column === 'number' ? 'any' : undefined}
      max={meta.kind === 'date' ? '9999-12-31' : undefined}
      aria-label={label}
      value={value}
      required
      maxLength={1000}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      className={inputClass}
    />
  );
}

/** Native date-time picker in the page's time zone. */
function DateTimeFilterInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const { timeZone } = useTranslation();
  const [inputValue, setInputValue] = useState(() =>
    value ? formatFieldDateTime(value, timeZone).replaceAll('/', '-').replace(' ', 'T') : '',
  );
  return (
    <span className="grid gap-0.5">
      <input
        type="datetime-local"
        aria-label={`${label} (${timeZone})`}
        value={inputValue}
        required
        max="9999-12-31T23:59"
        onChange={(event) => {
          setInputValue(event.target.value);
          const localTime = event.target.value.slice(0, 16).replaceAll('-', '/').replace('T', ' ');
          onChange(parseFieldDateTime(localTime, timeZone) ?? '');
        }}
        className={inputClass}
      />
      <span className="text-xs text-muted">{timeZone}</span>
    </span>
  );
}
