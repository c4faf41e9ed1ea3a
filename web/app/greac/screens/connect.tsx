// Page of a live session. The user participates while the page is open.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData, useSearchParams } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { destination } from '@yagura/core/greac/destination';
import { session } from '@yagura/core/greac/session';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { useState } from 'react';
import { ifPermitted } from '../../resource/if-permitted.server.ts';
import { ErrorScreen } from '../../shell/errors/error-screen.tsx';
import { DocumentTitle } from '../../shell/navigation/document-title.tsx';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { LinkButton } from '../../ui/button.tsx';
import { deferComponent } from '../../ui/deferred/defer-component.tsx';
import { loadChunk } from '../../ui/deferred/load-chunk.ts';
import { Icon } from '../../ui/icon.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { useIsHydrated } from '../../ui/use-is-hydrated.ts';
import { attachAhead } from '../connect/attach-in-browser.ts';
import { DesktopDocument, wasLoadedHere } from '../desktop/desktop-document.tsx';
import { OpenSessionButton } from '../open-session-button.tsx';
import { ParticipantList } from '../participants.tsx';
import { sessionAction } from './session-actions.server.ts';

const LiveSession = deferComponent(async () => {
  const loaded = await loadChunk('live-session', () => import('../connect/live-session.tsx'));
  return { default: loaded.LiveSession };
});

async function loadDesktop() {
  // The client is loaded beside the page that shows it.
  void import('../desktop/desktop-client.ts')
    .then(({ loadDesktopClient }) => loadDesktopClient())
    .catch(() => undefined);
  const loaded = await loadChunk('live-desktop', () => import('../desktop/live-desktop.tsx'));
  return { default: loaded.LiveDesktop };
}

const LiveDesktop = deferComponent(loadDesktop);

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const [item, { permissions, profile }] = await Promise.all([
      api.client(session).show(args.params.sessionId),
      getCurrentUser(api),
    ]);
    const load = () => api.client(destination).find(item.destinationId);
    const at = await ifPermitted(api, destination, 'show', load, null);
    const isAllowed = (call: string) => can(permissions, permissionFor(session, call));
    return {
      item,
      userId: profile?.userId,
      watches: [session.name],
      mayOpen: at !== null && isAllowed('create'),
      mayClose: isAllowed('close'),
      parameters: at?.parameters ?? null,
      hasFiles: at?.fileTransfer.enabled ?? false,
    };
  });
}

export const action = (args: ActionFunctionArgs) => sessionAction(args);

export default function Connect() {
  const { item, userId, parameters, hasFiles, mayOpen, mayClose } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const isHydrated = useIsHydrated();
  // The last screen of a session that has ended while the page is open stays.
  const [wasOpen] = useState(item.status === 'opened');
  useState(() => {
    // Before the page is hydrated. What fails here fails again where it is shown.
    if (!wasOpen || typeof document === 'undefined') return;
    if (item.protocol === 'rdp') {
      if (!wasLoadedHere()) return;
      loadDesktop().catch(() => undefined);
    }
    attachAhead(item.sessionId);
  });
  if (!wasOpen) return <ClosedSession />;
  const live = {
    sessionId: item.sessionId,
    destinationId: item.destinationId,
    name: item.destinationName,
    mode: search.get('mode') === 'watch' ? ('watch' as const) : ('control' as const),
    ...{ parameters, mayOpen, mayClose },
  };
  // Until the terminal is loaded.
  const heading = <h1 className="px-4 py-2 text-lg font-semibold">{item.destinationName}</h1>;
  return (
    <div className="contents" data-user={userId}>
      <DocumentTitle text={item.destinationName} />
      {isHydrated ? (
        item.protocol === 'rdp' ? (
          <DesktopDocument fallback={heading}>
            <LiveDesktop key={item.sessionId} {...live} fallback={heading} />
          </DesktopDocument>
        ) : (
          <LiveSession
            key={item.sessionId}
            {...live}
            protocol={item.protocol}
            hasFiles={hasFiles}
            fallback={heading}
          />
        )
      ) : (
        heading
      )}
    </div>
  );
}

export function ErrorBoundary() {
  return <ErrorScreen />;
}

/** Page of a session that is closed. */
function ClosedSession() {
  const { item, mayOpen } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <DocumentTitle text={item.destinationName} />
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-2">
        <h1 className="min-w-0 flex-1 truncate text-lg font-semibold">{item.destinationName}</h1>
        {mayOpen && <OpenSessionButton destinationId={item.destinationId} label={t('terminal.again')} />}
        <LinkButton to={`/apps/greac/sessions/${item.sessionId}`}>{t('verb.back')}</LinkButton>
      </header>
      <main className="mx-auto grid w-full max-w-2xl content-start gap-4 p-4">
        <p
          role="status"
          className="flex items-start gap-2 rounded-md border border-line bg-surface p-4 text-sm shadow-raised"
        >
          <Icon name="check" className="mt-0.5" />
          {t('greac.is-closed')}
        </p>
        <section className="rounded-lg border border-line bg-surface p-4 text-sm shadow-raised">
          <h2 className="mb-2 font-semibold">{t('label.participants')}</h2>
          <ParticipantList participants={item.participants} />
        </section>
      </main>
    </div>
  );
}
