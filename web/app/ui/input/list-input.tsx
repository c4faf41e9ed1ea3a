// List of scalars or objects: rows are added, removed and moved with buttons or keys.
import type { FieldMeta } from '@yagura/core/resource/field';
import { traitsOf } from '@yagura/core/resource/field-kinds';
import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { FieldGroup, type FrameProps } from '../field/field-frame.tsx';
import { listMarkerName, memberInputName } from '../field/form-data.ts';
import { handleMoveKey, RowActions, useRowFocus } from '../field/row-actions.tsx';
import { useRows } from '../field/use-rows.ts';
import { useTranslation } from '../translation.tsx';

/** `children` renders the field of a row from its dotted name, value and index. */
export function ListInput(props: {
  frame: FrameProps;
  meta: FieldMeta;
  value: unknown;
  children: (name: string, value: unknown, index: number) => ReactNode;
}) {
  const { t } = useTranslation();
  const { meta, frame } = props;
  const [rows, change] = useRows<unknown>(Array.isArray(props.value) ? props.value : []);
  const { box, focusRow } = useRowFocus(rows.length);
  const full = meta.max !== undefined && rows.length >= meta.max;
  const scalar = isScalar(meta.item);
  const move = (from: number, to: number) => change({ kind: 'move', from, to });

  /** A pasted list fills one row per entry; existing entries are skipped. */
  function paste(event: React.ClipboardEvent, index: number) {
    if (!scalar || !(event.target instanceof HTMLInputElement)) return;
    const entries = splitList(event.clipboardData.getData('text'));
    if (entries.length < 2) return;
    event.preventDefault();
    const existing = new Set(
      [...(box.current?.querySelectorAll<HTMLInputElement>('input:not([type=hidden])') ?? [])].map(
        (input) => input.value,
      ),
    );
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
    <FieldGroup {...frame}>
      <input type="hidden" name={listMarkerName(frame.name)} value="" />
      <div ref={box} className="grid gap-1.5">
        {rows.map((row, index) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would nest legends without words
          <div
            key={row.key}
            data-row={index}
            role="group"
            aria-label={t('ui.row', { number: index + 1 })}
            onKeyDown={(event) => handleMoveKey(event, index, rows.length, move)}
            onPaste={(event) => paste(event, index)}
            className={classNames('flex items-start gap-1.5', !scalar && 'rounded-md border border-line p-2')}
          >
            <div className="min-w-0 flex-1">
              {props.children(memberInputName(frame.name, index), row.value, index)}
            </div>
            <RowActions
              index={index}
              count={rows.length}
              onMove={move}
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
            disabled={full}
            aria-label={t('ui.add-to', { name: frame.label })}
            onClick={() => {
              focusRow(rows.length);
              change({ kind: 'add', value: meta.item?.default });
            }}
          >
            {t('ui.add')}
          </Button>
          {full && <span className="ml-2 text-xs text-muted">{t('ui.list-full', { max: meta.max })}</span>}
        </div>
      </div>
    </FieldGroup>
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
