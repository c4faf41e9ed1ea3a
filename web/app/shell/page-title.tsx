// The document's title: the last breadcrumbs first, then the product.
import { useMatches } from '@remix-run/react';
import { useTranslation } from '../ui/words.tsx';
import { crumbsOf, crumbText } from './crumb.ts';

export function PageTitle({ text }: { text?: string }) {
  const words = useTranslation();
  const matches = useMatches();
  const steps = text ? [text] : crumbsOf(matches).map((crumb) => crumbText(crumb, words));
  return <title>{[...steps.reverse().slice(0, 2), 'Yagura'].join(' · ')}</title>;
}
