// Pager of a list: position, page size, and links to other pages.
import { Link, useLocation, useSearchParams } from '@remix-run/react';
import { formatWholeNumber } from '@yagura/core/format/whole-number';
import { Button } from '../button.tsx';
import { Icon, type IconName } from '../icon.tsx';
import { useTranslation } from '../translation.tsx';

export function Pager(props: {
  total: number;
  /** Whether the total is a lower bound. */
  totalIsLeast?: boolean;
  /** One-based; may exceed the last page. */
  page: number;
  size: number;
  sizes: readonly number[];
  hrefOf: (page: number) => string;
  onSize: (size: number) => void;
}) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  const { total, page, size } = props;
  const last = Math.max(1, Math.ceil(total / size));
  const behind = total === 0 || page > last;
  const from = behind ? 0 : (page - 1) * size + 1;
  const to = behind ? 0 : Math.min(page * size, total);

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      <form method="get" action={pathname} className="flex items-center gap-1.5 print:hidden">
        {[...params].map(([key, value]) =>
          key === 'size' || key === 'page' ? null : (
            <input key={`${key}=${value}`} type="hidden" name={key} value={value} />
          ),
        )}
        <label className="flex items-center gap-1.5">
          <span>{t('ui.page-size')}</span>
          <select
            name="size"
            value={size}
            onChange={(event) => props.onSize(Number(event.target.value))}
            className="h-7 rounded-md border border-line-strong/60 bg-surface px-1 text-sm text-text"
          >
            {props.sizes.map((choice) => (
              <option key={choice} value={choice}>
                {choice}
              </option>
            ))}
          </select>
        </label>
        <noscript>
          <Button type="submit" size="small">
            {t('ui.apply')}
          </Button>
        </noscript>
      </form>
      <span className="flex-1" />
      <span role="status" className="tabular-nums">
        {t('ui.page-of', {
          from: formatWholeNumber(from),
          to: formatWholeNumber(to),
          total: `${formatWholeNumber(total - (props.totalIsLeast ? 1 : 0))}${props.totalIsLeast ? '+' : ''}`,
        })}
      </span>
      <nav aria-label={t('ui.pages')} className="flex print:hidden">
        <PageLink icon="first" label={t('ui.first-page')} to={page > 1 ? props.hrefOf(1) : undefined} />
        <PageLink
          icon="back"
          label={t('ui.previous-page')}
          to={page > 1 ? props.hrefOf(Math.min(page - 1, last)) : undefined}
        />
        <PageLink
          icon="right"
          label={t('ui.next-page')}
          to={page < last ? props.hrefOf(page + 1) : undefined}
        />
        <PageLink icon="last" label={t('ui.last-page')} to={page < last ? props.hrefOf(last) : undefined} />
      </nav>
    </div>
  );
}

function PageLink(props: { icon: IconName; label: string; to: string | undefined }) {
  const linkClass = 'inline-flex size-7 items-center justify-center rounded-md';
  if (!props.to) {
    return (
      <span className={`${linkClass} opacity-40`}>
        <Icon name={props.icon} />
      </span>
    );
  }
  return (
    <Link
      to={props.to}
      aria-label={props.label}
      title={props.label}
      prefetch="intent"
      className={`${linkClass} text-text hover:bg-hover`}
    >
      <Icon name={props.icon} />
    </Link>
  );
}
