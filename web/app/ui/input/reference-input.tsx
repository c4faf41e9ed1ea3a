// Selects an item by name: a native select, replaced for long lists by a combobox once it is loaded.
import { type ComponentProps, type ComponentType, useEffect, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { loadChunk } from '../deferred/load-chunk.ts';
import { type ControlProps, controlClass } from '../field/field-frame.tsx';
import { maxReferenceOptions } from '../references.ts';
import { useTranslation } from '../translation.tsx';
import type { ReferenceCombobox } from './reference-combobox.tsx';

/** Longer lists use the combobox. */
const comboboxThreshold = 8;

export function ReferenceInput(props: {
  control: ControlProps;
  options: Record<string, { name: string }>;
  /** Name of the resource that the options are items of. */
  resource: string;
  value: unknown;
  required: boolean;
  /** Whether there are more items than the options; by default, if they are as many as a form offers at once. */
  hasMore?: boolean;
  /** Field name for the combobox button. */
  label: string;
  onChange?: (id: string) => void;
}) {
  const { t, language } = useTranslation();
  const known = typeof props.value === 'string' ? props.value : '';
  const [picked, setPicked] = useState(known);
  const hasMore = props.hasMore ?? Object.keys(props.options).length >= maxReferenceOptions;
  const all = Object.entries(props.options)
    .map(([id, { name }]): [string, string] => [id, name])
    .sort(([, a], [, b]) => a.localeCompare(b, language));
  const select = useRef<HTMLSelectElement>(null);
  const Combobox = useCombobox(hasMore || all.length > comboboxThreshold, select);
  const pick = (id: string) => {
    setPicked(id);
    props.onChange?.(id);
  };
  if (Combobox)
    return (
      <Combobox
        control={props.control}
        options={all}
        searchedResource={hasMore ? props.resource : undefined}
        value={picked}
        required={props.required}
        label={props.label}
        onPick={pick}
      />
    );
  return (
    <select
      {...props.control}
      ref={select}
      value={picked}
      required={props.required}
      onChange={(event) => pick(event.target.value)}
      className={classNames(controlClass, 'h-8')}
    >
      <option value="">{t(all.length > 0 ? 'rule.select' : 'ui.no-options')}</option>
      {known && !props.options[known] && (
        <option value={known}>{t('ui.unknown-reference', { id: known })}</option>
      )}
      {all.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/**
 * Returns the combobox once it is loaded. It never replaces a select that is in use; if it cannot be loaded,
 * the select stays.
 */
function useCombobox(isNeeded: boolean, select: { current: HTMLSelectElement | null }) {
  const [Combobox, setCombobox] = useState<ComponentType<ComponentProps<typeof ReferenceCombobox>>>();
  useEffect(() => {
    if (!isNeeded) return;
    let isCancelled = false;
    const show = async () => {
      const loaded = await loadChunk('reference-combobox', () => import('./reference-combobox.tsx')).catch(
        () => undefined,
      );
      const list = select.current;
      const use = () => {
        if (!isCancelled && loaded) setCombobox(() => loaded.ReferenceCombobox);
      };
      if (list && list === document.activeElement) list.addEventListener('blur', use, { once: true });
      else use();
    };
    void show();
    return () => {
      isCancelled = true;
    };
  }, [isNeeded, select]);
  return isNeeded ? Combobox : undefined;
}
