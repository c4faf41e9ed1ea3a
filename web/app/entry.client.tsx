// Starts the page in the browser, in the language and time zone that the server rendered, once the words of it are there.

import { rooms } from 'virtual:page-words';
import { RemixBrowser } from '@remix-run/react';
import { isLanguage } from '@yagura/core/words/language';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { NonceContext } from './shell/nonce.ts';
import { PageTranslations } from './shell/page-words.tsx';
import { watchReach } from './shell/reach.ts';
import { watchSessions } from './shell/sign-in-wait.ts';
import { loadedTranslations, loadTranslations, pendingTranslations } from './words/arriving.ts';

const { lang, dataset } = document.documentElement;
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
const language = isLanguage(lang) ? lang : 'ja';

watchReach(window);
watchSessions(window);
let alive = false;
// As with a page's own script: what cannot be fetched is that of an older version, and the page is fetched anew.
loadTranslations(rooms, language, () => {
  if (alive) location.reload();
});
Promise.resolve(pendingTranslations()).then(() => {
  alive = true;
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <NonceContext value={nonce}>
          <PageTranslations
            language={language}
            dictionary={loadedTranslations}
            timeZone={dataset.timeZone || null}
          >
            <RemixBrowser />
          </PageTranslations>
        </NonceContext>
      </StrictMode>,
    );
  });
});
