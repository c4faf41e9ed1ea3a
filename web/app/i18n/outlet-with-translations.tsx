// A page's place: where it is shown once the words that its modules ask for are there. Until then the page before it stays.
import { Outlet, useLocation } from '@remix-run/react';
import { memo, use } from 'react';
import { pendingTranslations } from './loaded-translations.ts';

export const OutletWithTranslations = memo(function OutletWithWords() {
  // Only going somewhere brings new modules, and is a transition, which may wait.
  useLocation();
  const pending = pendingTranslations();
  if (pending) use(pending);
  return <Outlet />;
});
