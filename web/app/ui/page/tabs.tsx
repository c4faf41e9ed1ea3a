// Tabs of an item's sections as links, so that each has a URL.
import { NavLink } from '@remix-run/react';
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
  return (
    <nav aria-label={label ?? t('ui.tabs')} className="flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map((tab) => (
        <NavLink
          key={tab.to}
          to={tab.to}
          end={tab.end}
          prefetch="intent"
          className="-mb-px flex h-9 items-center gap-1.5 border-b-2 border-transparent px-3 text-sm whitespace-nowrap text-muted no-underline hover:text-text aria-[current=page]:border-primary aria-[current=page]:font-medium aria-[current=page]:text-text"
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
