// The list of places, in the drawer and in the sheet of small screens.
import { NavLink } from '@remix-run/react';
import { classes } from '../ui/classes.ts';
import { useWords } from '../ui/words.tsx';
import { nounText } from './crumb.ts';
import type { NavGroup } from './nav.server.ts';
import { NavIcon, type NavIconName } from './nav-icon.tsx';

export function Nav({ groups, onNavigate }: { groups: NavGroup[]; onNavigate?: () => void }) {
  const { t, language } = useWords();
  return (
    <nav aria-label={t('shell.places')} className="flex flex-col gap-4 p-2">
      <ul>
        <Place to="/" icon="home" text={t('shell.home')} onNavigate={onNavigate} end />
      </ul>
      {groups.map((group) => (
        <section key={group.word} aria-labelledby={`nav-${group.word}`}>
          <h2 id={`nav-${group.word}`} className="px-2 pb-1 text-xs font-medium text-muted">
            {t(group.word)}
          </h2>
          <ul>
            {group.entries.map((entry) => (
              <Place
                key={entry.to}
                to={entry.to}
                icon={entry.icon}
                text={nounText(entry.noun, language, entry.one ? 'one' : 'many')}
                onNavigate={onNavigate}
              />
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function Place(props: {
  to: string;
  icon: NavIconName;
  text: string;
  end?: boolean;
  onNavigate?: () => void;
}) {
  return (
    <li>
      <NavLink
        to={props.to}
        end={props.end}
        prefetch="intent"
        onClick={props.onNavigate}
        className={({ isActive }) =>
          classes(
            'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm no-underline max-md:h-10 max-md:text-base',
            isActive ? 'bg-selected font-semibold text-primary-hover' : 'text-text hover:bg-hover',
          )
        }
      >
        <NavIcon name={props.icon} />
        <span className="truncate">{props.text}</span>
      </NavLink>
    </li>
  );
}
