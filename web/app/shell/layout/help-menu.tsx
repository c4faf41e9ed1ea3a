// Help menu: guides, support, keyboard shortcuts and version. Entries without a URL are left out.
import { Icon } from '../../ui/icon.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { AppBarMenu, menuItemClass } from './app-bar-menu.tsx';
import type { HelpLink } from './help-links.server.ts';

export function HelpMenu(props: { links: HelpLink[]; version: string; onShortcuts: () => void }) {
  const { t } = useTranslation();
  return (
    <AppBarMenu label={t('shell.help')} icon="help">
      {props.links.map(({ name, url }) => (
        <a
          key={name}
          href={url}
          {...(url.startsWith('/') ? {} : { target: '_blank', rel: 'noreferrer' })}
          className={menuItemClass}
        >
          <Icon name="external" />
          {t(`shell.${name}`)}
        </a>
      ))}
      <button type="button" onClick={props.onShortcuts} className={menuItemClass}>
        <Icon name="info" />
        {t('shell.shortcuts')}
        <kbd className="ml-auto font-mono text-xs text-muted">?</kbd>
      </button>
      <p className="mt-1 border-t border-line px-2 pt-2 pb-1 text-xs text-muted">
        {t('shell.product', { version: props.version })}
      </p>
    </AppBarMenu>
  );
}
