// The layout of signed-in pages: app bar, drawer, content; below medium width the drawer is a sheet.
import type { LoaderFunctionArgs } from '@remix-run/node';
import {
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useRouteLoaderData,
} from '@remix-run/react';
import { settings } from '@yagura/core/devtool/settings';
import { space } from '@yagura/core/space/space';
import { lazy, Suspense, useState } from 'react';
import type { loader as rootLoader } from '../root.tsx';
import { withApi } from '../signin/api.server.ts';
import { contractOf } from '../signin/contract.server.ts';
import { getCurrentUser } from '../signin/grant.server.ts';
import { classes } from '../ui/classes.ts';
import { useTranslation } from '../ui/words.tsx';
import { AppBar } from './app-bar.tsx';
import { developerModeOf } from './developer-mode.ts';
import { ErrorScreen } from './error-screen.tsx';
import { helpLinksOf } from './help-links.server.ts';
import { useLiveChanges } from './live.ts';
import { loadChunk } from './load-chunk.ts';
import { navFor } from './nav.server.ts';
import { Nav } from './nav.tsx';
import { NewerVersion } from './newer-version.tsx';
import { NoContract } from './no-contract.tsx';
import { useNotice } from './notice.ts';
import { wasTaken } from './own-writes.ts';
import { PageTitle } from './page-title.tsx';
import { ServerAway } from './server-away.tsx';
import { Sheet } from './sheet.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { useRecentPlaces } from './use-recent-places.ts';
import { useShortcuts } from './use-shortcuts.ts';

const Palette = lazy(() => loadChunk('palette', () => import('./palette.tsx')));
const ShortcutSheet = lazy(() => loadChunk('shortcut-sheet', () => import('./shortcut-sheet.tsx')));

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const [person, contract, flags, own] = await Promise.all([
      getCurrentUser(api),
      contractOf(api),
      api
        .client(settings)
        .show()
        .catch(() => ({ developerMode: false })),
      api
        .client(space)
        .show()
        .catch((): null => null),
    ]);
    return {
      spaceName: own?.displayName ?? null,
      person: person.profile,
      contract: contract.state,
      nav: navFor(person, flags.developerMode || developerModeOf(args.request.headers.get('cookie'))),
      help: helpLinksOf(args.context.helpLinks, contract.pricePlan),
      version: args.context.version,
    };
  });
}

/** Names and permissions change by writes that were taken; going from page to page asks for nothing. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return wasTaken(args) ?? args.currentUrl.href === args.nextUrl.href;
}

export default function DefaultLayout() {
  const { spaceName, person, contract, nav, help, version } = useLoaderData<typeof loader>();
  const theme = useRouteLoaderData<typeof rootLoader>('root')?.theme ?? 'system';
  const { t } = useTranslation();
  const [drawer, setDrawer] = useState(true);
  const [sheet, setSheet] = useState(false);
  const shortcuts = useShortcuts();
  useLiveChanges();
  useNotice();
  useRecentPlaces();
  const toggle = () =>
    matchMedia('(min-width: 960px)').matches ? setDrawer((open) => !open) : setSheet(true);
  return (
    <>
      <PageTitle />
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-primary px-3 py-2 text-on-primary focus:translate-y-0"
      >
        {t('shell.skip')}
      </a>
      <AppBar
        spaceName={spaceName}
        user={person}
        theme={theme}
        help={help}
        version={version}
        drawerOpen={drawer}
        onDrawer={toggle}
        onShortcuts={() => shortcuts.open('sheet')}
        onPalette={() => shortcuts.open('palette')}
      />
      <div className="flex">
        <div
          id="drawer"
          className={classes(
            'sticky top-12 h-[calc(100dvh-3rem)] w-56 shrink-0 print:hidden overflow-y-auto border-r border-line bg-surface max-md:hidden',
            !drawer && 'hidden',
          )}
        >
          <Nav groups={nav} />
        </div>
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 px-4 py-4 outline-none sm:px-6 sm:py-5">
          <NewerVersion />
          {!person && <NoProfile />}
          <NoContract state={contract} />
          <Outlet />
        </main>
      </div>
      <Sheet open={sheet} label={t('shell.places')} onClose={() => setSheet(false)}>
        <Nav groups={nav} onNavigate={() => setSheet(false)} />
      </Sheet>
      <SignInAgain />
      <ServerAway />
      {shortcuts.shown && (
        <Suspense>
          {shortcuts.shown === 'sheet' ? (
            <ShortcutSheet onClose={shortcuts.close} />
          ) : (
            <Palette groups={nav} onClose={shortcuts.close} />
          )}
        </Suspense>
      )}
    </>
  );
}

/** Told when the profile or the role map could not be fetched: everything is then hidden that needs a permission. */
function NoProfile() {
  const { t } = useTranslation();
  return (
    <p role="alert" className="mb-4 rounded-md bg-warning-bg px-3 py-2 text-sm text-warning-fg">
      {t('shell.no-profile')}
    </p>
  );
}

export function ErrorBoundary() {
  return <ErrorScreen />;
}
