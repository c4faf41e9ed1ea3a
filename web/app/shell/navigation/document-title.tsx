// Document title: the breadcrumbs from last to first, then the product name.
import { useMatches } from '@remix-run/react';
import { useTranslation } from '../../ui/translation.tsx';
import { breadcrumbsFromMatches, formatCrumb } from './crumb.ts';

export function DocumentTitle({ text }: { text?: string }) {
  const translation = useTranslation();
  const matches = useMatches();
  const steps = text
    ? [text]
    : breadcrumbsFromMatches(matches).map((crumb) => formatCrumb(crumb, translation));
  return <title>{[...steps.reverse().slice(0, 2), 'Yagura'].join(' · ')}</title>;
}
