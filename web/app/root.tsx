// The document around every page.
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
import { preferencesOf } from './shell/choice.server.ts';
import { ErrorScreen } from './shell/error-screen.tsx';
import { NonceContext } from './shell/nonce.ts';
import { Progress } from './shell/progress.tsx';
import { ToastProvider } from './ui/toast.tsx';
import { useTranslation } from './ui/words.tsx';
import { OutletWithTranslations } from './words/outlet-with-words.tsx';

export const links: LinksFunction = () => [
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
];

export async function loader({ request }: LoaderFunctionArgs) {
  return preferencesOf(request);
}

/** The choices change by their form only. */
export function shouldRevalidate({ formAction }: ShouldRevalidateFunctionArgs) {
  return formAction === '/choices';
}

export function Layout({ children }: { children: ReactNode }) {
  const choice = useRouteLoaderData<typeof loader>('root');
  const { t, language } = useTranslation();
  const nonce = use(NonceContext);
  return (
    <html
      lang={language}
      data-theme={choice && choice.theme !== 'system' ? choice.theme : undefined}
      data-time-zone={choice?.timeZone ?? ''}
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
      <Progress />
      <OutletWithTranslations />
    </ToastProvider>
  );
}

export function ErrorBoundary() {
  return <ErrorScreen />;
}
