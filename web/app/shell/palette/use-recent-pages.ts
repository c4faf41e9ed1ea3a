// Records opened items: pages whose last breadcrumb is an item.
import { useMatches } from '@remix-run/react';
import { useEffect } from 'react';
import { useTranslation } from '../../ui/translation.tsx';
import { breadcrumbsFromMatches, formatCrumb } from '../navigation/crumb.ts';
import { saveRecentPage } from './recent-pages.ts';

export function useTrackRecentPages(): void {
  const translation = useTranslation();
  const last = breadcrumbsFromMatches(useMatches()).at(-1);
  const text =
    last && (last.text !== undefined || last.at !== undefined) ? formatCrumb(last, translation) : undefined;
  const to = last?.to;
  useEffect(() => {
    if (to && text) saveRecentPage(localStorage, { to, text });
  }, [to, text]);
}
