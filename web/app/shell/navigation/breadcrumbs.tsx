// Breadcrumbs from the app to the current page; shown if there are at least two.
import { Link, useMatches } from '@remix-run/react';
import { Icon } from '../../ui/icon.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { breadcrumbsFromMatches, formatCrumb } from './crumb.ts';

/** A single breadcrumb would only repeat the heading. */
const depthThreshold = 2;

export function Breadcrumbs() {
  const translation = useTranslation();
  const crumbs = breadcrumbsFromMatches(useMatches());
  if (crumbs.length < depthThreshold) return null;
  return (
    <nav aria-label={translation.t('shell.breadcrumbs')} className="min-w-0 overflow-hidden">
      <ol className="flex items-center text-sm text-muted">
        {crumbs.map((crumb, index) => {
          const last = index === crumbs.length - 1;
          return (
            <li
              key={crumb.to ?? index}
              className={`flex min-w-0 items-center ${last ? '' : 'max-sm:hidden'} ${index < crumbs.length - 2 ? 'max-md:hidden' : ''}`}
            >
              <Icon name="right" size={12} className="mx-1 text-line-strong" />
              {last ? (
                <span aria-current="page" className="truncate font-medium text-text">
                  {formatCrumb(crumb, translation) || translation.t('shell.loading')}
                </span>
              ) : crumb.to === undefined ? (
                <span className="truncate">{formatCrumb(crumb, translation)}</span>
              ) : (
                <Link
                  to={crumb.to}
                  className="truncate text-muted no-underline hover:text-text hover:underline"
                >
                  {formatCrumb(crumb, translation)}
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
