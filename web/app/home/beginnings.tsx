// What the person may begin with in the apps that hold nothing yet.
import { Link } from '@remix-run/react';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../ui/words.tsx';

/** Keys of words, and where each leads. */
export function Beginnings({ beginnings }: { beginnings: readonly { word: string; to: string }[] }) {
  const { t } = useWords();
  return (
    <nav aria-label={t('page.begin')} className="flex flex-wrap items-center gap-2 text-sm">
      <span className="text-muted">{t('page.begin')}</span>
      {beginnings.map(({ word, to }) => (
        <Link
          key={to}
          to={to}
          prefetch="intent"
          className="inline-flex min-h-8 items-center gap-1.5 rounded-md border border-line bg-surface px-3 text-text no-underline hover:border-line-strong hover:bg-hover"
        >
          <Icon name="plus" />
          {t(word)}
        </Link>
      ))}
    </nav>
  );
}
