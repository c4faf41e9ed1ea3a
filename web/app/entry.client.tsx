// Starts the page in the browser, in the language and time zone that the server rendered.
import { RemixBrowser } from '@remix-run/react';
import { loadDictionary } from '@yagura/core/words/dictionary';
import { isLanguage } from '@yagura/core/words/translate';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { NonceContext } from './shell/nonce.ts';
import { PageWords } from './shell/page-words.tsx';

const { lang, dataset } = document.documentElement;
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
const language = isLanguage(lang) ? lang : 'ja';

loadDictionary(language).then((dictionary) => {
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
