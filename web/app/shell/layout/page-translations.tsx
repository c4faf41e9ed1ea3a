// Provides the page's language and time zone. Until the browser has reported its zone, server and browser
// render times in UTC.
import type { Language, Translations } from '@yagura/core/i18n/translator';
import { type ReactNode, startTransition, useEffect, useState } from 'react';
import { TranslationProvider } from '../../ui/translation.tsx';

const oneYearSeconds = 365 * 24 * 3600;

export function PageTranslationProvider(props: {
  language: Language;
  translations: Translations;
  timeZone: string | null;
  children: ReactNode;
}) {
  const [timeZone, setTimeZone] = useState(props.timeZone ?? 'UTC');
  useEffect(() => {
    const local = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
    if (local === props.timeZone) return;
    const secure = window.location.protocol === 'https:' ? '; Secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every supported browser
    document.cookie = `tz=${encodeURIComponent(local)}; Path=/; SameSite=Lax; Max-Age=${oneYearSeconds}${secure}`;
    // A transition, since every time on the page is rendered again.
    startTransition(() => setTimeZone(local));
  }, [props.timeZone]);
  return (
    <TranslationProvider language={props.language} translations={props.translations} timeZone={timeZone}>
      {props.children}
    </TranslationProvider>
  );
}
