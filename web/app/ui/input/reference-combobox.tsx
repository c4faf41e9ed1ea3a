// Combobox that selects an item by part of its name; loaded for long lists only.
import { Combobox, ComboboxButton, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react';
import { useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { type ControlProps, controlClass } from '../field/field-frame.tsx';
import { Icon } from '../icon.tsx';
import { useTranslation } from '../translation.tsx';
import { useReferenceSearch } from './use-reference-search.ts';

/** Maximum options rendered at once; typing narrows the rest. */
const maxShown = 100;

/**
 * `options` are pairs of id and name in display order; `value` is an id, or empty for none. If there are more items
 * than `options`, `searchedResource` names the resource to search for them.
 */
export function ReferenceCombobox(props: {
  control: ControlProps;
  options: [id: string, name: string][];
  searchedResource?: string | undefined;
  value: string;
  required: boolean;
  label: string;
  onPick: (id: string) => void;
}) {
  const { t } = useTranslation();
  const { control, options, value, onPick } = props;
  const [inputValue, setInputValue] = useState('');
  const query = inputValue.trim().toLowerCase();
  const { found, isSearching, hasFailed } = useReferenceSearch(props.searchedResource, query);
  const known = useKnownOptions(options, found?.options);
  const matches = ([, name]: readonly [id: string, name: string]) => name.toLowerCase().includes(query);
  // Until the result arrives, only what is known to match is offered: Enter must not pick a result for an earlier text.
  const matching = found?.options ?? (isSearching ? [...known] : options).filter(matches);
  const shown = matching.slice(0, maxShown);
  const nameOf = (id: string | null) => (id ? (known.get(id) ?? t('ui.unknown-reference', { id })) : '');
  const { name, ...visible } = control;
  return (
    <Combobox
      value={value || null}
      onChange={(id: string | null) => onPick(id ?? '')}
      onClose={() => setInputValue('')}
      immediate
    >
      <div className="relative">
        <input type="hidden" name={name} value={value} />
        <ComboboxInput
          {...visible}
          data-name={name}
          displayValue={nameOf}
          onChange={(event) => setInputValue(event.target.value)}
          onFocus={(event) => event.target.select()}
          required={props.required}
          placeholder={t('rule.select')}
          autoComplete="off"
          className={classNames(controlClass, 'h-8 pr-8')}
        />
        <ComboboxButton
          aria-label={props.label}
          className="absolute inset-y-0 right-0 flex w-8 items-center justify-center text-muted"
        >
          <Icon name="down" size={14} />
        </ComboboxButton>
        <ComboboxOptions
          modal={false}
          className="absolute inset-x-0 top-full z-20 mt-1 max-h-64 overflow-y-auto rounded-md border border-line bg-surface-raised py-1 text-sm shadow-float"
        >
          {shown.map(([id, text]) => (
            <ComboboxOption
              key={id}
              value={id}
              className="cursor-pointer px-2.5 py-1.5 data-focus:bg-hover data-selected:font-semibold max-md:py-2.5"
            >
              {text}
            </ComboboxOption>
          ))}
          {shown.length < matching.length && (
            <p className="px-2.5 py-1.5 text-xs text-muted">
              {t('ui.more-options', { number: matching.length - shown.length })}
            </p>
          )}
          {props.searchedResource !== undefined && query === '' && (
            <p className="px-2.5 py-1.5 text-xs text-muted">
              {t('ui.not-all-options', { number: options.length })}
            </p>
          )}
          {found?.hasMore && <p className="px-2.5 py-1.5 text-xs text-muted">{t('ui.more-found')}</p>}
          {hasFailed && (
            <p role="alert" className="px-2.5 py-1.5 text-xs text-danger-fg">
              {t('ui.search-failed', { number: options.length })}
            </p>
          )}
          {matching.length === 0 && (
            <p className="px-2.5 py-1.5 text-muted">{t(isSearching ? 'text.loading' : 'ui.no-match')}</p>
          )}
        </ComboboxOptions>
      </div>
    </Combobox>
  );
}

/** Names by id of the options and of everything that was found so far, from which one may have been picked. */
function useKnownOptions(
  options: readonly [id: string, name: string][],
  found: readonly [id: string, name: string][] | undefined,
): ReadonlyMap<string, string> {
  const seen = useRef(new Map<string, string>());
  for (const [id, name] of found ?? []) seen.current.set(id, name);
  return new Map([...seen.current, ...options]);
}
