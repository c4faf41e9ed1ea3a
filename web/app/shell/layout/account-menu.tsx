// Account menu: user, appearance, preferences and sign-out.
import { Form, Link, useLocation } from '@remix-run/react';
import type { Theme } from '../../preferences/preferences.server.ts';
import { signOutPath } from '../../signin/browser/watch-session.ts';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import type { DeveloperMode } from '../preferences/developer-mode.server.ts';
import { AppBarMenu, MenuHeading, menuItemClass } from './app-bar-menu.tsx';

const themes: Theme[] = ['system', 'light', 'dark'];

export function AccountMenu(props: {
  user: { displayName: string; email: string; privileged: boolean } | null;
  theme: Theme;
  developerMode: DeveloperMode;
}) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const { user, developerMode } = props;
  return (
    <AppBarMenu label={t('shell.account')} icon="user" text={user?.displayName}>
      {user && (
        <div className="max-w-72 border-b border-line px-2 pt-1 pb-2">
          <p className="truncate font-medium">{user.displayName}</p>
          <p className="truncate text-xs text-muted">{user.email}</p>
          {user.privileged && (
            <p className="mt-1 inline-flex items-center gap-1 rounded-sm bg-secondary-bg px-1.5 text-xs font-medium text-secondary">
              <Icon name="lock" size={12} />
              {t('shell.privileged')}
            </p>
          )}
        </div>
      )}
      <Form method="post" action="/choices" preventScrollReset>
        <MenuHeading>{t('shell.theme')}</MenuHeading>
        <input type="hidden" name="return" value={pathname + search} />
        <div className="mx-1 mb-1 flex rounded-md border border-line p-0.5">
          {themes.map((theme) => (
            <button
              key={theme}
              type="submit"
              name="theme"
              value={theme}
              aria-pressed={theme === props.theme}
              className={classNames(
                'h-7 flex-1 rounded-sm px-2 text-xs whitespace-nowrap',
                theme === props.theme
                  ? 'bg-selected font-semibold text-primary-hover'
                  : 'text-muted hover:bg-hover',
              )}
            >
              {t(`shell.theme-${theme}`)}
            </button>
          ))}
        </div>
        {/* Where the server shows the tools to everyone, a browser cannot hide them. */}
        {developerMode !== 'server' && (
          <button
            type="submit"
            name="developer-mode"
            value={String(developerMode === 'off')}
            aria-pressed={developerMode === 'browser'}
            className={classNames(menuItemClass, 'border-t border-line rounded-none')}
          >
            <Icon name={developerMode === 'browser' ? 'check' : 'terminal'} />
            {t('shell.developer-tools')}
          </button>
        )}
      </Form>
      <Link to="/preference" className={classNames(menuItemClass, 'border-t border-line rounded-none')}>
        <Icon name="settings" />
        {t('shell.preference')}
      </Link>
      <Form method="post" action={signOutPath} reloadDocument>
        <button type="submit" className={menuItemClass}>
          <Icon name="right" />
          {t('verb.sign-out')}
        </button>
      </Form>
    </AppBarMenu>
  );
}
