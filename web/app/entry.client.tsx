// Hydrates the page in the language and time zone of the server rendering, once its translations are loaded.

import { namespaces } from 'virtual:translations';
import { RemixBrowser } from '@remix-run/react';
import { isLanguage } from '@yagura/core/i18n/language';
import { type ReactNode, StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { loadedTranslations, loadTranslations, pendingTranslations } from './i18n/loaded-translations.ts';
import { NonceContext } from './shell/layout/nonce.ts';
import { PageTranslationProvider } from './shell/layout/page-translations.tsx';
import { watchConnection } from './shell/offline/watch-connection.ts';
import { sendPageUser } from './signin/browser/page-user.ts';
import { watchSession } from './signin/browser/watch-session.ts';
import { EarlyInput, useEarlyInput } from './ui/form/early-input.ts';

const { lang, dataset } = document.documentElement;
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
const language = isLanguage(lang) ? lang : 'ja';

/** Around everything else, because effects run from the inside out. */
function EarlyInputReport({ children }: { children: ReactNode }) {
  useEarlyInput(earlyInput);
  return children;
}

const earlyInput = new EarlyInput(document);
watchConnection(window);
watchSession(window);
// Around the other, so that what is sent again names the user who sent it first.
sendPageUser(window);
let isHydrated = false;
// As with the page's scripts, a file that cannot be fetched belongs to an older version, so the page is
// reloaded.
loadTranslations(namespaces, language, () => {
  if (isHydrated) location.reload();
});
Promise.resolve(pendingTranslations()).then(() => {
  isHydrated = true;
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <EarlyInputReport>
          <NonceContext value={nonce}>
            <PageTranslationProvider
              language={language}
              translations={loadedTranslations}
              timeZone={dataset.timeZone || null}
            >
              <RemixBrowser />
            </PageTranslationProvider>
          </NonceContext>
        </EarlyInputReport>
      </StrictMode>,
    );
  });
});
