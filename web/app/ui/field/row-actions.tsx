// Buttons at the end of a row (up, down, remove) and the focus handling after them.
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { IconButton } from '../button.tsx';
import { useTranslation } from '../translation.tsx';

/** `onMove` and `onRemove` get the zero-based index of the row; labels count from 1. */
export function RowActions(props: {
  index: number;
  count: number;
  onMove?: (from: number, to: number) => void;
  onRemove: (index: number) => void;
}) {
  const { t } = useTranslation();
  const { index, count } = props;
  const number = index + 1;
  return (
    <div className="flex shrink-0 items-center">
      {props.onMove && count > 1 && (
        <>
          <IconButton
            icon="arrow-up"
            label={t('ui.move-up', { number })}
            disabled={index === 0}
            onClick={() => props.onMove!(index, index - 1)}
          />
          <IconButton
            icon="arrow-down"
            label={t('ui.move-down', { number })}
            disabled={index === count - 1}
            onClick={() => props.onMove!(index, index + 1)}
          />
        </>
      )}
      <IconButton icon="trash" label={t('ui.remove-row', { number })} onClick={() => props.onRemove(index)} />
    </div>
  );
}

/** Alt+Up and Alt+Down move the focused row. */
export function handleMoveKey(
  event: KeyboardEvent,
  index: number,
  count: number,
  onMove: (from: number, to: number) => void,
) {
  if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
  const to = index + (event.key === 'ArrowUp' ? -1 : 1);
  if (to < 0 || to >= count) return;
  event.preventDefault();
  event.stopPropagation();
  onMove(index, to);
}

/**
 * After adding a row, focuses its first control; after removing one, the row that took its place or the add
 * button.
 */
export function useRowFocus(count: number) {
  const box = useRef<HTMLDivElement>(null);
  const pendingFocus = useRef<{ place: number } | null>(null);
  // The effect runs when the number of rows changes.
  useEffect(() => {
    const index = pendingFocus.current?.place;
    pendingFocus.current = null;
    if (index === undefined || !box.current) return;
    const rows = box.current.querySelectorAll<HTMLElement>(':scope > [data-row]');
    const row = rows[Math.min(index, rows.length - 1)];
    const control = row?.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea, button');
    (control ?? box.current.querySelector<HTMLElement>(':scope > [data-add], :scope [data-add]'))?.focus();
  }, [count]);
  return {
    box,
    focusRow: (index: number) => {
      pendingFocus.current = { place: index };
    },
  };
}
