// The keys of a table: up and down go from row to row, Home and End to the first and the last, Space ticks, the platform's Enter opens.
import type { KeyboardEvent } from 'react';

/** `scroll` brings the first or the last row into a table that draws only what is in sight. */
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
    // Two frames: the scrolling is measured in one, the rows are there in the next.
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
