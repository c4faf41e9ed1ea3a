// Starts the page in the browser, in the language and time zone that the server rendered.
import { RemixBrowser } from '@remix-run/react';
import { isLanguage } from '@yagura/core/words/language';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { NonceContext } from './shell/nonce.ts';
import { PageWords } from './shell/page-words.tsx';
import { watchSessions } from './shell/sign-in-wait.ts';
import { pageDictionary } from './words/page-dictionary.ts';

const { lang, dataset } = document.documentElement;
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
const language = isLanguage(lang) ? lang : 'ja';

watchSessions(window);
pageDictionary(language).then((dictionary) => {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <NonceContext value={nonce}>
          <PageWords language={language} dictionary={dictionary} timeZone={dataset.timeZone || null}>
            <RemixBrowser />
          </PageWords>
        </NonceContext>
      </StrictMode>,
    );
  });
});
