// Page of a live session: participants, status, leaving and ending. The user participates while the page is
// open.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData, useNavigate } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { destination } from '@yagura/core/greac/destination';
import { presenceIntervalMs, session } from '@yagura/core/greac/session';
import { kroker } from '@yagura/core/kroker/kroker';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { useEffect } from 'react';
import { ifPermitted } from '../../resource/if-permitted.server.ts';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { ErrorScreen } from '../../shell/errors/error-screen.tsx';
import { DocumentTitle } from '../../shell/navigation/document-title.tsx';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { StatusBadge } from '../../ui/text/status-badge.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { EndSessionButton } from '../end-session-button.tsx';
import { ParticipantList } from '../participants.tsx';
import { sessionAction } from './session-actions.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const [item, { permissions }] = await Promise.all([
      api.client(session).show(args.params.sessionId),
      getCurrentUser(api),
    ]);
    const at = await api.client(destination).find(item.destinationId);
    const gateway = at?.krokerId ? await ifPermitted(api.client(kroker).find(at.krokerId), null) : null;
    return {
      item,
      watches: [session.name],
      mayClose: can(permissions, permissionFor(session, 'close')),
      gateway: gateway && { displayName: gateway.displayName, state: gateway.connectionState },
    };
  });
}

export const action = (args: ActionFunctionArgs) => sessionAction(args);

export default function Connect() {
  const { item, gateway, mayClose } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const open = item.status === 'opened';
  const presence = usePresence(open);
  useProblemToast(presence);
  const navigate = useNavigate();
  const leaving = useFetcher<{ done?: string }>();
  useEffect(() => {
    if (leaving.data?.done === 'leave') navigate('/apps/greac/sessions');
  }, [leaving.data, navigate]);
  const tones = { opened: 'progress', closed: 'neutral' } as const;
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <DocumentTitle text={item.destinationName} />
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-2">
        <h1 className="min-w-0 flex-1 truncate text-lg font-semibold">{item.destinationName}</h1>
        <StatusBadge value={item.status} tones={tones} options={['opened', 'closed']} />
        {open && (
          <Button
            busy={leaving.state !== 'idle'}
            onClick={() => leaving.submit({ intent: 'leave' }, { method: 'post' })}
          >
            {t('greac.leave')}
          </Button>
        )}
        {open && mayClose && <EndSessionButton />}
        {!open && <LinkButton to={`/apps/greac/sessions/${item.sessionId}`}>{t('verb.back')}</LinkButton>}
      </header>
      <main className="mx-auto grid w-full max-w-2xl content-start gap-4 p-4">
        <p
          role="status"
          className="flex items-start gap-2 rounded-md border border-line bg-surface p-4 text-sm shadow-raised"
        >
          <Icon name={open ? 'warning' : 'check'} className="mt-0.5" />
          {open ? gatewayStatusText(gateway, t) : t('greac.is-closed')}
        </p>
        <section className="rounded-lg border border-line bg-surface p-4 text-sm shadow-raised">
          <h2 className="mb-2 font-semibold">{t('label.participants')}</h2>
          <ParticipantList participants={item.participants} />
        </section>
      </main>
    </div>
  );
}

export function ErrorBoundary() {
  return <ErrorScreen />;
}

function gatewayStatusText(
  gateway: { displayName: string; state: string } | null,
  t: ReturnType<typeof useTranslation>['t'],
): string {
  if (!gateway) return t('greac.no-kroker');
  return gateway.state === 'connected'
    ? t('greac.not-connected')
    : t('greac.kroker-away', { name: gateway.displayName });
}

/**
 * Joins, repeats this periodically while the window is open, and leaves when it closes. Returns the last
 * response.
 */
function usePresence(open: boolean): unknown {
  const fetcher = useFetcher();
  const { submit } = fetcher;
  useEffect(() => {
    if (!open) return;
    const join = () => submit({ intent: 'join' }, { method: 'post' });
    const leave = () => navigator.sendBeacon(location.pathname, new URLSearchParams({ intent: 'leave' }));
    join();
    const timer = setInterval(join, presenceIntervalMs);
    addEventListener('pagehide', leave);
    return () => {
      clearInterval(timer);
      removeEventListener('pagehide', leave);
    };
  }, [open, submit]);
  return fetcher.data;
}
