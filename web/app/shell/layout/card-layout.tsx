// Layout of pages for guests: one centered card.
import { Outlet } from '@remix-run/react';
import { ErrorScreen } from '../errors/error-screen.tsx';
import { ProductLogo } from '../navigation/nav-icon.tsx';
import { LanguageMenu } from './app-bar.tsx';

export default function CardLayout() {
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr_auto] px-4">
      <header className="mx-auto flex h-14 w-full max-w-[580px] items-center justify-between">
        <a href="/" className="flex items-center gap-2 font-semibold text-text no-underline">
          <ProductLogo />
          Yagura
        </a>
        <LanguageMenu />
      </header>
      <main className="mx-auto mt-[8vh] w-full max-w-[580px] self-start rounded-lg border border-line bg-surface p-6 shadow-raised sm:p-8">
        <Outlet />
      </main>
    </div>
  );
}

export function ErrorBoundary() {
  return <ErrorScreen />;
}
