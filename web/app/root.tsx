// HTML document of every page.
import './app.css';
import type { LinksFunction, LoaderFunctionArgs } from '@remix-run/node';
import {
  Links,
  Meta,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useRouteLoaderData,
} from '@remix-run/react';
import { type ReactNode, use } from 'react';
import { OutletWithTranslations } from './i18n/outlet-with-translations.tsx';
import { preferencesOf } from './preferences/preferences.server.ts';
import { ErrorScreen } from './shell/errors/error-screen.tsx';
import { NavigationProgress } from './shell/layout/navigation-progress.tsx';
import { NonceContext } from './shell/layout/nonce.ts';
import { ToastProvider } from './ui/overlay/toast.tsx';
import { useTranslation } from './ui/translation.tsx';

export const links: LinksFunction = () => [
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
];

export async function loader({ request }: LoaderFunctionArgs) {
  return preferencesOf(request);
}

/** The preferences change only through their form. */
export function shouldRevalidate({ formAction }: ShouldRevalidateFunctionArgs) {
  return formAction === '/choices';
}

export function Layout({ children }: { children: ReactNode }) {
  const preferences = useRouteLoaderData<typeof loader>('root');
  const { t, language } = useTranslation();
  const nonce = use(NonceContext);
  return (
    <html
      lang={language}
      data-theme={preferences && preferences.theme !== 'system' ? preferences.theme : undefined}
      data-time-zone={preferences?.timeZone ?? ''}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content={t('shell.description')} />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function Root() {
  return (
    <ToastProvider>
      <NavigationProgress />
      <OutletWithTranslations />
    </ToastProvider>
  );
}

export function ErrorBoundary() {
  return <ErrorScreen />;
}
