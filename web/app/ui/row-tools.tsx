// The buttons at the end of a row: up, down, remove; and where the focus goes afterwards.
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { IconButton } from './button.tsx';
import { useTranslation } from './words.tsx';

/** `onMove` and `onRemove` are told the place of the row; places count from 0, words from 1. */
export function RowTools(props: {
  at: number;
  count: number;
  onMove?: (from: number, to: number) => void;
  onRemove: (at: number) => void;
}) {
  const { t } = useTranslation();
  const { at, count } = props;
  const number = at + 1;
  return (
    <div className="flex shrink-0 items-center">
      {props.onMove && count > 1 && (
        <>
          <IconButton
            icon="arrow-up"
            label={t('ui.move-up', { number })}
            disabled={at === 0}
            onClick={() => props.onMove!(at, at - 1)}
          />
          <IconButton
            icon="arrow-down"
            label={t('ui.move-down', { number })}
            disabled={at === count - 1}
            onClick={() => props.onMove!(at, at + 1)}
          />
        </>
      )}
      <IconButton icon="trash" label={t('ui.remove-row', { number })} onClick={() => props.onRemove(at)} />
    </div>
  );
}

/** Alt and an arrow key move the row that has the focus. */
export function moveByKey(
  event: KeyboardEvent,
  at: number,
  count: number,
  onMove: (from: number, to: number) => void,
) {
  if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
  const to = at + (event.key === 'ArrowUp' ? -1 : 1);
  if (to < 0 || to >= count) return;
  event.preventDefault();
  event.stopPropagation();
  onMove(at, to);
}

/** After a row was added, focuses its first control; after one was removed, the one that took its place or the add button. */
export function useRowFocus(count: number) {
  const box = useRef<HTMLDivElement>(null);
  const wanted = useRef<{ place: number } | null>(null);
  // The number of rows is what the effect waits for.
  useEffect(() => {
    const place = wanted.current?.place;
    wanted.current = null;
    if (place === undefined || !box.current) return;
    const rows = box.current.querySelectorAll<HTMLElement>(':scope > [data-row]');
    const row = rows[Math.min(place, rows.length - 1)];
    const control = row?.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea, button');
    (control ?? box.current.querySelector<HTMLElement>(':scope > [data-add], :scope [data-add]'))?.focus();
  }, [count]);
  return {
    box,
    focusRow: (place: number) => {
      wanted.current = { place };
    },
  };
}
