// Starts the page in the browser, in the language and time zone that the server rendered, once the words of it are there.

import { namespaces } from 'virtual:translations';
import { RemixBrowser } from '@remix-run/react';
import { isLanguage } from '@yagura/core/i18n/language';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { loadedTranslations, loadTranslations, pendingTranslations } from './i18n/loaded-translations.ts';
import { NonceContext } from './shell/layout/nonce.ts';
import { PageTranslationProvider } from './shell/layout/page-translations.tsx';
import { watchConnection } from './shell/offline/watch-connection.ts';
import { watchSession } from './shell/session/watch-session.ts';

const { lang, dataset } = document.documentElement;
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
const language = isLanguage(lang) ? lang : 'ja';

watchConnection(window);
watchSession(window);
let isHydrated = false;
// As with a page's own script: what cannot be fetched is that of an older version, and the page is fetched anew.
loadTranslations(namespaces, language, () => {
  if (isHydrated) location.reload();
});
Promise.resolve(pendingTranslations()).then(() => {
  isHydrated = true;
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <NonceContext value={nonce}>
          <PageTranslationProvider
            language={language}
            translations={loadedTranslations}
            timeZone={dataset.timeZone || null}
          >
            <RemixBrowser />
          </PageTranslationProvider>
        </NonceContext>
      </StrictMode>,
    );
  });
});
