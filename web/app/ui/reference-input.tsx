// Picks one thing by its name; a long list can be narrowed by typing.
import { useState } from 'react';
import { classes } from './classes.ts';
import { type ControlProps, controlClass } from './field-frame.tsx';
import { useWords } from './words.tsx';

/** Longer lists get a box to narrow them. */
const manyOptions = 15;

export function ReferenceInput(props: {
  control: ControlProps;
  options: Record<string, { name: string }>;
  value: unknown;
  required: boolean;
  /** Name of the field, for the narrowing box. */
  label: string;
  onChange?: (id: string) => void;
}) {
  const { t } = useWords();
  const known = typeof props.value === 'string' ? props.value : '';
  const [picked, setPicked] = useState(known);
  const [filter, setFilter] = useState('');
  const all = Object.entries(props.options).sort(([, a], [, b]) => a.name.localeCompare(b.name));
  const wanted = filter.trim().toLowerCase();
  const shown = all.filter(
    ([id, { name }]) => id === picked || !wanted || name.toLowerCase().includes(wanted),
  );
  return (
    <div className="flex flex-wrap gap-1.5">
      {all.length > manyOptions && (
        <input
          type="search"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          aria-label={`${props.label}: ${t('ui.filter-options')}`}
          placeholder={t('ui.filter-options')}
          autoComplete="off"
          className={classes(controlClass, 'h-8 min-w-36 flex-1 basis-36')}
        />
      )}
      <select
        {...props.control}
        value={picked}
        required={props.required}
        onChange={(event) => {
          setPicked(event.target.value);
          props.onChange?.(event.target.value);
        }}
        className={classes(controlClass, 'h-8 min-w-48 flex-[2] basis-48')}
      >
        <option value="">{t(all.length > 0 ? 'rule.select' : 'ui.no-options')}</option>
        {known && !props.options[known] && (
          <option value={known}>{t('ui.unknown-reference', { id: known })}</option>
        )}
        {shown.map(([id, { name }]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
