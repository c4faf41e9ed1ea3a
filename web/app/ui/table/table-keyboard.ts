// Keyboard navigation of a table: Up and Down move between rows, Home and End to the first and last, Space
// selects, Enter opens.
import type { KeyboardEvent } from 'react';

/** `scroll` brings the first or last row into the rendered part of a virtualized table. */
export function handleTableKey(
  event: KeyboardEvent<HTMLElement>,
  options: { onToggle?: (key: string, isRange: boolean) => void; scroll?: (to: 'first' | 'last') => void },
): void {
  const body = event.currentTarget;
  const from = (event.target as HTMLElement).closest<HTMLElement>('[data-row-link]');
  if (!from || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === ' ' && options.onToggle) {
    event.preventDefault();
    options.onToggle(from.dataset.rowLink!, event.shiftKey);
    return;
  }
  const links = () => [...body.querySelectorAll<HTMLElement>('[data-row-link]')];
  const focusEnd = () =>
    links()
      .at(event.key === 'Home' ? 0 : -1)
      ?.focus();
  if (event.key === 'Home' || event.key === 'End') {
    event.preventDefault();
    options.scroll?.(event.key === 'Home' ? 'first' : 'last');
    // Two frames: the first handles the scroll, the second has the new rows.
    if (options.scroll) requestAnimationFrame(() => requestAnimationFrame(focusEnd));
    else focusEnd();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const next = step && links()[links().indexOf(from) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
