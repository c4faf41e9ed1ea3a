// Navigation list in the drawer and in the sheet on small screens, with a collapsible group per app.
import { Link, useLocation } from '@remix-run/react';
import { type KeyboardEvent, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { formatNoun } from './crumb.ts';
import { currentEntry } from './current-entry.ts';
import type { NavEntry, NavGroup } from './nav.server.ts';
import { NavIcon, type NavIconName } from './nav-icon.tsx';

/** Up to this number of entries all groups are open. */
const maxExpandedEntries = 12;

export function Nav({ groups, onNavigate }: { groups: NavGroup[]; onNavigate?: () => void }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const entries = groups.flatMap((group) => group.entries);
  const current = currentEntry(entries, pathname)?.to;
  const few = entries.length <= maxExpandedEntries;
  return (
    <nav aria-label={t('shell.places')} onKeyDown={handleNavKey} className="flex flex-col gap-1 p-2">
      <ul className="mb-1">
        <NavLinkItem
          to="/"
          icon="home"
          text={t('shell.home')}
          current={pathname === '/'}
          onNavigate={onNavigate}
        />
      </ul>
      {groups.map((group, index) => {
        const holdsCurrent = group.entries.some((entry) => entry.to === current);
        return (
          <NavGroupSection
            key={group.labelKey}
            group={group}
            current={current}
            // Without a current entry, open the first group.
            open={few || holdsCurrent || (current === undefined && index === 0)}
            onNavigate={onNavigate}
          />
        );
      })}
    </nav>
  );
}

/** A group stays as the user left it; before that it is open while it contains the current entry. */
function NavGroupSection(props: {
  group: NavGroup;
  current: string | undefined;
  open: boolean;
  onNavigate?: () => void;
}) {
  const { t, language } = useTranslation();
  const { group, current } = props;
  const [chosen, setChosen] = useState<{ open: boolean; at: string | undefined }>();
  const holdsCurrent = group.entries.some((entry) => entry.to === current);
  // Navigating to an entry of a collapsed group expands it again.
  const userChoice =
    chosen && (chosen.open || !holdsCurrent || chosen.at === current) ? chosen.open : undefined;
  const open = userChoice ?? props.open;
  const text = ({ noun, one, labelKey }: NavEntry) =>
    noun ? formatNoun(noun, language, one ? 'one' : 'many') : labelKey ? t(labelKey) : '';
  return (
    <details
      open={open}
      onToggle={(event) => {
        const now = event.currentTarget.open;
        if (now !== open) setChosen({ open: now, at: current });
      }}
      className="[--turn:0deg] open:pb-1 open:[--turn:90deg]"
    >
      <summary className="flex h-7 items-center gap-1.5 rounded-md px-2 text-xs font-medium text-muted hover:bg-hover hover:text-text max-md:h-10 max-md:text-sm">
        <h2 className="flex-1 truncate">{t(group.labelKey)}</h2>
        <Icon name="right" size={12} className="rotate-(--turn)" />
      </summary>
      <ul>
        {group.entries.map((entry) => (
          <NavLinkItem
            key={entry.to}
            to={entry.to}
            icon={entry.icon}
            text={text(entry)}
            current={entry.to === current}
            onNavigate={props.onNavigate}
          />
        ))}
      </ul>
    </details>
  );
}

function NavLinkItem(props: {
  to: string;
  icon: NavIconName;
  text: string;
  current: boolean;
  onNavigate?: () => void;
}) {
  return (
    <li>
      <Link
        to={props.to}
        prefetch="intent"
        onClick={props.onNavigate}
        aria-current={props.current ? 'page' : undefined}
        title={props.text}
        className={classNames(
          'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm no-underline max-md:h-10 max-md:text-base',
          props.current ? 'bg-selected font-semibold text-primary-hover' : 'text-text hover:bg-hover',
        )}
      >
        <NavIcon name={props.icon} />
        <span className="truncate">{props.text}</span>
      </Link>
    </li>
  );
}

/**
 * Up and Down move between lines, Home and End to the first and last; Left and Right collapse and expand a
 * group.
 */
function handleNavKey(event: KeyboardEvent<HTMLElement>): void {
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('summary, a')].filter(
    (line) => line.tagName === 'SUMMARY' || !line.closest('details:not([open])'),
  );
  const index = lines.indexOf(event.target as HTMLElement);
  if (index < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  const group = lines[index]!.closest('details');
  const toggle = (open: boolean) => {
    if (!group || group.open === open) return false;
    group.open = open;
    group.querySelector('summary')?.focus();
    return true;
  };
  const done = (
    {
      ArrowDown: () => lines[index + 1]?.focus(),
      ArrowUp: () => lines[index - 1]?.focus(),
      Home: () => lines[0]?.focus(),
      End: () => lines.at(-1)?.focus(),
      ArrowRight: () => toggle(true),
      ArrowLeft: () => toggle(false),
    } as Record<string, () => unknown>
  )[event.key];
  if (!done) return;
  event.preventDefault();
  done();
}
