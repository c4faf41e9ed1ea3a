// Layout of signed-in pages: app bar, drawer and content; below medium width the drawer is a sheet.
import type { LoaderFunctionArgs } from '@remix-run/node';
import {
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useRouteLoaderData,
} from '@remix-run/react';
import { useState } from 'react';
import type { Preferences } from '../../preferences/preferences.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getContract } from '../../signin/contract.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { classNames } from '../../ui/class-names.ts';
import { deferDialog } from '../../ui/deferred/defer-dialog.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { ContractAlert } from '../errors/contract-alert.tsx';
import { ErrorScreen } from '../errors/error-screen.tsx';
import { useNotice } from '../feedback/notice.ts';
import { isWriteAccepted } from '../live/revalidate-after-write.ts';
import { useLiveChanges } from '../live/use-live-changes.ts';
import { DocumentTitle } from '../navigation/document-title.tsx';
import { buildNav } from '../navigation/nav.server.ts';
import { Nav } from '../navigation/nav.tsx';
import { OfflineBanner } from '../offline/offline-banner.tsx';
import { UpdateBanner } from '../offline/update-banner.tsx';
import { useTrackRecentPages } from '../palette/use-recent-pages.ts';
import { useShortcuts } from '../palette/use-shortcuts.ts';
import { getClientSettings } from '../preferences/developer-mode.server.ts';
import { SessionExpiredDialog } from '../session/session-expired-dialog.tsx';
import { AppBar } from './app-bar.tsx';
import { buildHelpLinks } from './help-links.server.ts';
import { MobileDrawer } from './mobile-drawer.tsx';

const ShortcutPanel = deferDialog('palette', () => import('../palette/shortcut-panel.tsx'));

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const [user, contract, { spaceName, developerMode }] = await Promise.all([
      getCurrentUser(api),
      getContract(api),
      getClientSettings(api, args.request),
    ]);
    return {
      spaceName,
      developerMode,
      incomplete: user.incomplete === true || spaceName === null,
      profile: user.profile,
      contract: contract.state,
      nav: buildNav(user, developerMode),
      help: buildHelpLinks(args.context.helpLinks, contract.pricePlan),
      version: args.context.version,
    };
  });
}

/** Names and permissions change only through successful writes; navigation does not reload them. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return isWriteAccepted(args) ?? args.currentUrl.href === args.nextUrl.href;
}

export default function DefaultLayout() {
  const { spaceName, developerMode, incomplete, profile, contract, nav, help, version } =
    useLoaderData<typeof loader>();
  const theme = useRouteLoaderData<() => Promise<Preferences>>('root')?.theme ?? 'system';
  const { t } = useTranslation();
  const [isDrawerOpen, setDrawerOpen] = useState(true);
  const [isMobileDrawerOpen, setMobileDrawerOpen] = useState(false);
  const shortcuts = useShortcuts();
  useLiveChanges();
  useNotice();
  useTrackRecentPages();
  const toggle = () =>
    matchMedia('(min-width: 960px)').matches ? setDrawerOpen((open) => !open) : setMobileDrawerOpen(true);
  return (
    <>
      <DocumentTitle />
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-primary px-3 py-2 text-on-primary focus:translate-y-0"
      >
        {t('shell.skip')}
      </a>
      <AppBar
        spaceName={spaceName}
        user={profile}
        theme={theme}
        developerMode={developerMode}
        help={help}
        version={version}
        drawerOpen={isDrawerOpen}
        onDrawer={toggle}
        onShortcuts={() => shortcuts.open('sheet')}
        onPalette={() => shortcuts.open('palette')}
      />
      <div className="flex">
        <div
          id="drawer"
          className={classNames(
            'sticky top-12 h-[calc(100dvh-3rem)] w-60 shrink-0 print:hidden overflow-y-auto border-r border-line bg-surface max-md:hidden',
            !isDrawerOpen && 'hidden',
          )}
        >
          <Nav groups={nav} />
        </div>
        <main
          id="main"
          tabIndex={-1}
          className="min-w-0 flex-1 px-4 py-4 outline-none sm:px-6 sm:py-5"
          data-user={profile?.userId}
        >
          <UpdateBanner />
          {/* What needs a permission is hidden then. */}
          {incomplete && (
            <p role="alert" className="mb-4 rounded-md bg-warning-bg px-3 py-2 text-sm text-warning-fg">
              {t('shell.no-profile')}
            </p>
          )}
          <ContractAlert state={contract} />
          <Outlet />
        </main>
      </div>
      <MobileDrawer
        open={isMobileDrawerOpen}
        label={t('shell.places')}
        onClose={() => setMobileDrawerOpen(false)}
      >
        <Nav groups={nav} onNavigate={() => setMobileDrawerOpen(false)} />
      </MobileDrawer>
      <SessionExpiredDialog />
      <OfflineBanner />
      {shortcuts.shown && <ShortcutPanel shown={shortcuts.shown} groups={nav} onClose={shortcuts.close} />}
    </>
  );
}

export function ErrorBoundary() {
  return <ErrorScreen />;
}
