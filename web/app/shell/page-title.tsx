// The document's title: the last breadcrumbs first, then the product.
import { useMatches } from '@remix-run/react';
import { useWords } from '../ui/words.tsx';
import { crumbsOf, crumbText } from './crumb.ts';

export function PageTitle({ text }: { text?: string }) {
  const words = useWords();
  const matches = useMatches();
  const steps = text ? [text] : crumbsOf(matches).map((crumb) => crumbText(crumb, words));
  return <title>{[...steps.reverse().slice(0, 2), 'Yagura'].join(' · ')}</title>;
}
