// Tabs of an item's sections as links, so that each has a URL.
import { NavLink, useLocation } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../translation.tsx';

export interface Tab {
  to: string;
  label: string;
  /** Current only if the URL matches exactly. */
  end?: boolean;
  /** Count next to the label. */
  count?: number;
}

export function Tabs({ tabs, label }: { tabs: Tab[]; label?: string }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const row = useRef<HTMLElement>(null);
  useEffect(() => showCurrent(row.current!), [pathname]);
  return (
    <nav
      ref={row}
      aria-label={label ?? t('ui.tabs')}
      className="flex gap-1 overflow-x-auto border-b border-line"
    >
      {tabs.map((tab) => (
        <NavLink
          key={tab.to}
          to={tab.to}
          end={tab.end}
          prefetch="intent"
          className="-mb-px flex h-9 items-center gap-1.5 border-b-2 border-transparent px-3 text-sm whitespace-nowrap text-muted no-underline hover:text-text aria-[current=page]:border-primary aria-[current=page]:font-medium aria-[current=page]:text-text print:not-aria-[current=page]:hidden"
        >
          {tab.label}
          {tab.count !== undefined && (
            <span className="rounded-full bg-neutral-bg px-1.5 text-xs text-neutral-fg tabular-nums">
              {tab.count}
            </span>
          )}
        </NavLink>
      ))}
    </nav>
  );
}

/** Scrolls a row of tabs that is wider than the screen to the current one; the page itself stays where it is. */
function showCurrent(row: HTMLElement): void {
  const tab = row.querySelector('[aria-current=page]');
  if (!tab) return;
  const [outer, inner] = [row.getBoundingClientRect(), tab.getBoundingClientRect()];
  if (inner.right > outer.right) row.scrollLeft += inner.right - outer.right;
  else if (inner.left < outer.left) row.scrollLeft += inner.left - outer.left;
}
