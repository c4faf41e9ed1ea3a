// Placeholder for missing content: empty, forbidden, failed or loading.
import { type ReactNode, useEffect, useState } from 'react';
import { classNames } from '../class-names.ts';
import { Icon, type IconName } from '../icon.tsx';
import { useTranslation } from '../translation.tsx';

export type PlaceholderKind = 'default' | 'empty' | 'forbidden' | 'error' | 'loading';

const icons: Record<PlaceholderKind, IconName> = {
  default: 'info',
  empty: 'inbox',
  forbidden: 'lock',
  error: 'error',
  loading: 'progress',
};

/**
 * `title` and `detail` replace the default texts of the kind; `children` are actions, e.g. a create button.
 */
export function Placeholder(props: {
  kind?: PlaceholderKind;
  title?: string;
  detail?: string;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const kind = props.kind ?? 'default';
  const words: Record<PlaceholderKind, [title: string, detail: string]> = {
    default: ['', ''],
    empty: [t('text.no-data'), ''],
    forbidden: [t('text.forbidden'), t('text.forbidden-detail')],
    error: [t('text.error'), t('text.error-detail')],
    loading: [t('text.loading'), ''],
  };
  const title = props.title ?? words[kind][0];
  const detail = props.detail ?? words[kind][1];
  return (
    <div
      role={kind === 'error' ? 'alert' : kind === 'loading' ? 'status' : undefined}
      className="flex flex-col items-center justify-center gap-2 px-4 py-10 text-center text-muted"
    >
      <Icon
        name={icons[kind]}
        size={24}
        className={classNames(
          kind === 'error' && 'text-danger-fg',
          kind === 'loading' && 'motion-safe:animate-spin',
        )}
      />
      {title && (
        <p className="text-base font-medium text-text">
          {title}
          {kind === 'loading' && <LoadingDots />}
        </p>
      )}
      {detail && <p className="max-w-prose text-sm">{detail}</p>}
      {props.children && <div className="mt-2 flex flex-wrap justify-center gap-2">{props.children}</div>}
    </div>
  );
}

/** One to three dots, changing every 500 ms. */
function LoadingDots() {
  const [count, setCount] = useState(1);
  useEffect(() => {
    const timer = setInterval(() => setCount((dots) => (dots % 3) + 1), 500);
    return () => clearInterval(timer);
  }, []);
  return (
    <span aria-hidden="true" className="inline-block w-6 text-left">
      {'.'.repeat(count)}
    </span>
  );
}
