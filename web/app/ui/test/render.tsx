// Renders components in tests with a router, a language and the time zone Asia/Tokyo.

import { useLocation } from '@remix-run/react';
import { createRemixStub } from '@remix-run/testing';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { loadTranslations } from '@yagura/core/i18n/load-translations';
import type { Language } from '@yagura/core/i18n/translator';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { ToastProvider } from '../overlay/toast.tsx';
import { TranslationProvider } from '../translation.tsx';

/**
 * `path` is the initial URL; `address()` returns that of the last navigation. With `beforeHydration` the page comes from
 * the server, and is hydrated after the call.
 */
export async function renderInRouter(
  children: ReactNode,
  options: {
    language?: Language;
    path?: string;
    /** Loads the data of the page. */
    loader?: () => object;
    /** Answers a form of the page. */
    action?: (form: FormData) => object;
    beforeHydration?: (page: HTMLElement) => void;
  } = {},
) {
  const language = options.language ?? 'en';
  const dictionary = await loadTranslations(language);
  let seen = '';
  const Watch = () => {
    const location = useLocation();
    seen = location.pathname + location.search;
    return null;
  };
  const Page = () => (
    <TranslationProvider language={language} translations={dictionary} timeZone="Asia/Tokyo">
      <ToastProvider>
        <Watch />
        {children}
      </ToastProvider>
    </TranslationProvider>
  );
  const { loader } = options;
  const Stub = createRemixStub([
    {
      path: '*',
      Component: Page,
      action: async ({ request }) => options.action?.(await request.formData()) ?? null,
      ...(loader && { loader }),
    },
  ]);
  const page = <Stub initialEntries={[options.path ?? '/']} />;
  const container = document.body.appendChild(document.createElement('div'));
  if (options.beforeHydration) {
    container.innerHTML = renderToString(page);
    options.beforeHydration(container);
  }
  const view = render(page, { container, hydrate: options.beforeHydration !== undefined });
  return { ...view, user: userEvent.setup(), address: () => seen };
}

/** Returns what a form would post now. */
export function formDataOf(container: HTMLElement): FormData {
  return new FormData(container.querySelector('form')!);
}
