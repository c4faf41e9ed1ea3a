// Outlet that renders a page once its modules' translations are loaded. The previous page stays until then.
import { Outlet, useLocation } from '@remix-run/react';
import { memo, use } from 'react';
import { pendingTranslations } from './loaded-translations.ts';

export const OutletWithTranslations = memo(function OutletWithWords() {
  // New modules are loaded only by navigation, which is a transition and may suspend.
  useLocation();
  const pending = pendingTranslations();
  if (pending) use(pending);
  return <Outlet />;
});
