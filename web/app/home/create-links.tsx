// Suggested first actions in apps that have no data yet.

import { Link } from '@remix-run/react';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import { Icon } from '../ui/icon.tsx';
import { useTranslation } from '../ui/translation.tsx';

/** Message keys and their links. */
export function CreateLinks({ links }: { links: readonly { labelKey: MessageKey; to: string }[] }) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t('page.begin')} className="flex flex-wrap items-center gap-2 text-sm">
      <span className="text-muted">{t('page.begin')}</span>
      {links.map(({ labelKey, to }) => (
        <Link
          key={to}
          to={to}
          prefetch="intent"
          className="inline-flex min-h-8 items-center gap-1.5 rounded-md border border-line bg-surface px-3 text-text no-underline hover:border-line-strong hover:bg-hover"
        >
          <Icon name="plus" />
          {t(labelKey)}
        </Link>
      ))}
    </nav>
  );
}
