// Remembers the things that are opened: pages whose last step of the breadcrumbs is an item.
import { useMatches } from '@remix-run/react';
import { useEffect } from 'react';
import { useTranslation } from '../ui/words.tsx';
import { crumbsOf, crumbText } from './crumb.ts';
import { keepRecent } from './recent-places.ts';

export function useRecentPlaces(): void {
  const words = useTranslation();
  const last = crumbsOf(useMatches()).at(-1);
  const text =
    last && (last.text !== undefined || last.at !== undefined) ? crumbText(last, words) : undefined;
  const to = last?.to;
  useEffect(() => {
    if (to && text) keepRecent(localStorage, { to, text });
  }, [to, text]);
}
