// Virtualizes long tables: renders the rows in the viewport and some around them. All rows then have the same
// height. On paper, all rows are rendered.
import { type RefObject, useEffect, useState } from 'react';
import { useIsPrinting } from '../use-is-printing.ts';

/** Tables up to this many rows are rendered completely. */
export const maxUnwindowedRows = 100;
/** Rows rendered above and below the viewport. */
const overscanRows = 20;
/** Rows rendered before the first measurement. */
const initialRows = 60;

export interface RowWindow {
  start: number;
  end: number;
  /** Height of the omitted rows above and below, in pixels. */
  heightAbove: number;
  heightBelow: number;
}

/** Pure: returns the window for a scroll position. */
export function computeRowWindow(count: number, rowHeight: number, top: number, height: number): RowWindow {
  const first = Math.max(0, Math.floor(top / rowHeight) - overscanRows);
  const start = Math.min(first, Math.max(0, count - 1));
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + overscanRows);
  return { start, end, heightAbove: start * rowHeight, heightBelow: (count - end) * rowHeight };
}

/** Returns the rows to render for a table in a scroll container; null if it is rendered completely. */
export function useRowWindow(box: RefObject<HTMLElement | null>, count: number): RowWindow | null {
  const isPrinting = useIsPrinting();
  const windowed = count > maxUnwindowedRows && !isPrinting;
  const [shown, setShown] = useState<RowWindow>({
    start: 0,
    end: initialRows,
    heightAbove: 0,
    heightBelow: 0,
  });
  useEffect(() => {
    const node = box.current;
    if (!windowed || !node) return;
    let frame = 0;
    const measure = () => {
      frame = 0;
      const height = node.querySelector<HTMLElement>('tbody tr[data-row]')?.offsetHeight || 33;
      setShown((before) => {
        const next = computeRowWindow(count, height, node.scrollTop, node.clientHeight);
        const same =
          before.start === next.start && before.end === next.end && before.heightBelow === next.heightBelow;
        return same ? before : next;
      });
    };
    const later = () => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
    node.addEventListener('scroll', later, { passive: true });
    window.addEventListener('resize', later);
    return () => {
      cancelAnimationFrame(frame);
      node.removeEventListener('scroll', later);
      window.removeEventListener('resize', later);
    };
  }, [box, count, windowed]);
  return windowed ? { ...shown, end: Math.min(shown.end, count) } : null;
}
