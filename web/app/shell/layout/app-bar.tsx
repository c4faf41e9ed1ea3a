// App bar: drawer button, space, breadcrumbs, and the language, help and account menus.
import { Form, Link, useLocation } from '@remix-run/react';
import { languages } from '@yagura/core/i18n/language';
import type { Theme } from '../../preferences/preferences.server.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { Breadcrumbs } from '../navigation/breadcrumbs.tsx';
import { ProductLogo } from '../navigation/nav-icon.tsx';
import type { DeveloperMode } from '../preferences/developer-mode.server.ts';
import { AccountMenu } from './account-menu.tsx';
import { AppBarMenu, MenuHeading, menuItemClass } from './app-bar-menu.tsx';
import type { HelpLink } from './help-links.server.ts';
import { HelpMenu } from './help-menu.tsx';

export interface AppBarProps {
  spaceName: string | null;
  developerMode: DeveloperMode;
  user: { displayName: string; email: string; privileged: boolean } | null;
  theme: Theme;
  help: HelpLink[];
  version: string;
  drawerOpen: boolean;
  onDrawer: () => void;
  onShortcuts: () => void;
  onPalette: () => void;
}

export function AppBar(props: AppBarProps) {
  const { t } = useTranslation();
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center gap-1 border-b border-line bg-surface px-2 print:hidden sm:gap-2 sm:px-3">
      <IconButton
        icon="menu"
        size="medium"
        label={t('shell.drawer')}
        aria-expanded={props.drawerOpen}
        aria-controls="drawer"
        onClick={props.onDrawer}
      />
      <Link
        to="/"
        className="flex min-w-0 shrink-0 items-center gap-2 rounded-md px-1 font-semibold text-text no-underline max-sm:min-w-8"
      >
        <ProductLogo />
        <span className="max-w-48 truncate max-sm:sr-only">{props.spaceName ?? 'Yagura'}</span>
      </Link>
      <Breadcrumbs />
      <div className="ml-auto flex shrink-0 items-center gap-0.5">
        <IconButton
          icon="search"
          size="medium"
          label={t('shell.palette')}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={props.onPalette}
        />
        <LanguageMenu />
        <HelpMenu links={props.help} version={props.version} onShortcuts={props.onShortcuts} />
        <AccountMenu user={props.user} theme={props.theme} developerMode={props.developerMode} />
      </div>
    </header>
  );
}

/** Language menu; each language is labeled with its own name and language tag. */
export function LanguageMenu() {
  const { t, language } = useTranslation();
  const { pathname, search } = useLocation();
  return (
    <AppBarMenu label={t('shell.language')} icon="language">
      <MenuHeading>{t('shell.language')}</MenuHeading>
      <Form method="post" action="/choices" reloadDocument>
        <input type="hidden" name="return" value={pathname + search} />
        {languages.map((tag) => (
          <button
            key={tag}
            type="submit"
            name="language"
            value={tag}
            lang={tag}
            aria-current={tag === language ? 'true' : undefined}
            className={menuItemClass}
          >
            <span className="w-4">{tag === language && <Icon name="check" />}</span>
            {languageNames[tag]}
          </button>
        ))}
      </Form>
    </AppBarMenu>
  );
}

/** Endonyms; the same in all languages. */
const languageNames = { en: 'English', ja: '日本語' } as const;
