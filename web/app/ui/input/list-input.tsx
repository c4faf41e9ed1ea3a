// List of scalars or objects: rows are added, removed and moved with buttons or keys.
import type { FieldMeta } from '@yagura/core/resource/field';
import { traitsOf } from '@yagura/core/resource/field-kinds';
import { type ClipboardEvent, type ReactNode, useState } from 'react';
import { FieldGroup, type FrameProps } from '../field/field-frame.tsx';
import { listMarkerName, memberInputName, nullInputName } from '../field/form-data.ts';
import { RowList } from '../field/row-list.tsx';
import { useRows } from '../field/use-rows.ts';
import { useTranslation } from '../translation.tsx';

interface ListInputProps {
  frame: FrameProps;
  meta: FieldMeta;
  value: unknown;
  /** Renders the field of a row from its dotted name, value and index. */
  children: (name: string, value: unknown, index: number) => ReactNode;
}

export function ListInput(props: ListInputProps) {
  const { frame, meta } = props;
  return (
    <FieldGroup {...frame}>
      {meta.nullChoice === undefined ? (
        <ListRows {...props} />
      ) : (
        <NullOrRows {...props} nullChoice={meta.nullChoice} />
      )}
    </FieldGroup>
  );
}

/** The choice that null stands for, or rows. */
function NullOrRows(props: ListInputProps & { nullChoice: string }) {
  const { t, choiceLabel } = useTranslation();
  const { frame, meta, value } = props;
  const [isNull, setNull] = useState(!Array.isArray(value));
  const options = [
    { isNull: true, label: choiceLabel(props.nullChoice) },
    { isNull: false, label: t('ui.only-these') },
  ];
  return (
    <>
      {options.map((option) => (
        <label key={option.label} className="flex items-center gap-2 text-sm">
          <input
            type="radio"
            name={nullInputName(frame.name)}
            value={String(option.isNull)}
            checked={isNull === option.isNull}
            onChange={() => setNull(option.isNull)}
            className="size-4"
          />
          {option.label}
        </label>
      ))}
      {!isNull && <ListRows {...props} value={Array.isArray(value) ? value : [meta.item?.default]} />}
    </>
  );
}

function ListRows(props: ListInputProps) {
  const { meta, frame } = props;
  const [rows, change] = useRows<unknown>(Array.isArray(props.value) ? props.value : []);
  const scalar = isScalar(meta.item);

  /** A pasted list fills one row per entry; existing entries are skipped. */
  function paste(event: ClipboardEvent<HTMLDivElement>, index: number) {
    if (!scalar || !(event.target instanceof HTMLInputElement)) return;
    const entries = splitList(event.clipboardData.getData('text'));
    if (entries.length < 2) return;
    event.preventDefault();
    const inputs =
      event.currentTarget.parentElement!.querySelectorAll<HTMLInputElement>('input:not([type=hidden])');
    const existing = new Set([...inputs].map((input) => input.value));
    const fresh = entries
      .filter((entry) => !existing.has(entry))
      .slice(0, (meta.max ?? 1000) - rows.length + 1);
    const [first, ...rest] = fresh;
    if (event.target.value === '' && first !== undefined) {
      event.target.value = first;
      change({ kind: 'insert', index: index + 1, values: rest });
    } else change({ kind: 'insert', index: index + 1, values: fresh });
  }

  return (
    <>
      <input type="hidden" name={listMarkerName(frame.name)} value="" />
      <RowList
        rows={rows}
        onChange={change}
        label={frame.label}
        newValue={meta.item?.default}
        max={meta.max}
        isMovable
        isFramed={!scalar}
        onPaste={paste}
      >
        {(value, index) => props.children(memberInputName(frame.name, index), value, index)}
      </RowList>
    </>
  );
}

function isScalar(item: FieldMeta | undefined): boolean {
  if (!item) return true;
  const { written, prose } = traitsOf(item.kind);
  return written !== 'json' && prose !== 'lines';
}

/** Splits a pasted list at line breaks, commas and semicolons; drops blanks and duplicates. */
function splitList(text: string): string[] {
  const entries = text
    .slice(0, 100_000)
    .split(/[\n\r,;]+/)
    .map((entry) => entry.trim());
  return [...new Set(entries.filter(Boolean))];
}
