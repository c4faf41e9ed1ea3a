// The page's language and time zone. Until the browser has told its zone, times are those of UTC, on the server and at first in the browser.
import type { Language, Translations } from '@yagura/core/words/translate';
import { type ReactNode, startTransition, useEffect, useState } from 'react';
import { TranslationProvider } from '../ui/words.tsx';

const year = 365 * 24 * 3600;

export function PageTranslations(props: {
  language: Language;
  dictionary: Translations;
  timeZone: string | null;
  children: ReactNode;
}) {
  const [timeZone, setTimeZone] = useState(props.timeZone ?? 'UTC');
  useEffect(() => {
    const local = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
    if (local === props.timeZone) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every supported browser
    document.cookie = `tz=${encodeURIComponent(local)}; Path=/; SameSite=Lax; Max-Age=${year}`;
    // All times of the page are drawn anew, in pieces, so that nobody waits for it.
    startTransition(() => setTimeZone(local));
  }, [props.timeZone]);
  return (
    <TranslationProvider language={props.language} dictionary={props.dictionary} timeZone={timeZone}>
      {props.children}
    </TranslationProvider>
  );
}
