// Rows of an editor with their buttons: added at the end, removed, and moved with buttons or keys.
import type { ClipboardEvent, ReactNode } from 'react';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { useTranslation } from '../translation.tsx';
import { handleMoveKey, RowActions, useRowFocus } from './row-actions.tsx';
import type { KeyedRow, RowsChange } from './use-rows.ts';

/** `children` renders a row from its value and index. */
export function RowList<T>(props: {
  rows: readonly KeyedRow<T>[];
  onChange: (change: RowsChange<T>) => void;
  /** What the rows are, for the button that adds one. */
  label: string;
  newValue: T;
  max?: number | undefined;
  /** Whether the order has a meaning. */
  isMovable?: boolean;
  isFramed: boolean;
  onPaste?: (event: ClipboardEvent<HTMLDivElement>, index: number) => void;
  children: (value: T, index: number) => ReactNode;
}) {
  const { t } = useTranslation();
  const { rows, onChange, isMovable, max } = props;
  const { box, focusRow } = useRowFocus(rows.length);
  const full = max !== undefined && rows.length >= max;
  const move = (from: number, to: number) => onChange({ kind: 'move', from, to });
  return (
    <div ref={box} className="grid gap-1.5">
      {rows.map((row, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would nest legends without words
        <div
          key={row.key}
          data-row={index}
          role="group"
          aria-label={t('ui.row', { number: index + 1 })}
          {...(isMovable ? { onKeyDown: (event) => handleMoveKey(event, index, rows.length, move) } : {})}
          onPaste={(event) => props.onPaste?.(event, index)}
          className={classNames(
            'flex items-start gap-1.5',
            props.isFramed && 'rounded-md border border-line p-2',
          )}
        >
          <div className="min-w-0 flex-1">{props.children(row.value, index)}</div>
          <RowActions
            index={index}
            count={rows.length}
            {...(isMovable ? { onMove: move } : {})}
            onRemove={() => {
              focusRow(index);
              onChange({ kind: 'remove', index });
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
          aria-label={t('ui.add-to', { name: props.label })}
          onClick={() => {
            focusRow(rows.length);
            onChange({ kind: 'add', value: props.newValue });
          }}
        >
          {t('ui.add')}
        </Button>
        {full && <span className="ml-2 text-xs text-muted">{t('ui.list-full', { max })}</span>}
      </div>
    </div>
  );
}
