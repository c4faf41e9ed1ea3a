// Page of a session's logs for auditors.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { data as reply } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { judgeLog } from '@yagura/core/greac/log-judgement';
import { logKey } from '@yagura/core/greac/log-key';
import { type SessionLogParts, session, sessionLog } from '@yagura/core/greac/session';
import { logKinds } from '@yagura/core/greac/session-parameters';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { ifPermitted } from '../../resource/if-permitted.server.ts';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import type { Crumb } from '../../shell/navigation/crumb.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { deferComponent } from '../../ui/deferred/defer-component.tsx';
import { loadChunk } from '../../ui/deferred/load-chunk.ts';
import { ResourceHeader } from '../../ui/page/resource-header.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { useIsHydrated } from '../../ui/use-is-hydrated.ts';
import { DesktopDocument } from '../desktop/desktop-document.tsx';

const LogViewer = deferComponent(async () => {
  const loaded = await loadChunk('log-viewer', () => import('../logs/log-viewer.tsx'));
  return { default: loaded.LogViewer };
});

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const id = args.params.sessionId;
    const [item, log, { permissions }] = await Promise.all([
      api.client(session).show(id),
      api.client(sessionLog).call<SessionLogParts>('log-parts', { id }),
      getCurrentUser(api),
    ]);
    const { items: parts, ends } = log;
    const keyId = parts[0]?.keyId;
    const mayFetchKey = can(permissions, permissionFor(logKey, 'private-key'));
    const key = keyId && mayFetchKey ? await ifPermitted(api.client(logKey).find(keyId), null) : null;
    return {
      sessionId: item.sessionId,
      name: item.destinationName,
      isDesktop: item.protocol === 'rdp',
      logs: await Promise.all(
        logKinds
          .filter((kind) => can(permissions, permissionFor(sessionLog, `${kind}-log`)))
          .filter((kind) => [...parts, ...ends].some((one) => one.kind === kind))
          .map(async (kind) => ({
            kind,
            parts: parts.filter((part) => part.kind === kind),
            judgement: await judgeLog(kind, log),
          })),
      ),
      storedKeyId: key?.hasPrivateKey ? key.keyId : null,
      crumbs: [
        { to: '/apps/greac', labelKey: 'shell.greac' },
        { to: session.screen!, noun: session.noun },
        { to: `${session.screen}/${item.sessionId}`, text: item.destinationName },
        { noun: sessionLog.noun },
      ] satisfies Crumb[],
    };
  });
}

/** Fetches the private key of the logs. */
export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const id = String((await args.request.formData()).get('keyId') ?? '');
  return withApi(args, async (api) => {
    try {
      const { privateKey } = await api.client(logKey).call<{ privateKey: string }>('private-key', { id });
      return reply({ privateKey }, { headers: { 'cache-control': 'no-store' } });
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export default function SessionLogs() {
  const { name, isDesktop, crumbs: _, ...viewer } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const isHydrated = useIsHydrated();
  const title = t('recording.title', { name });
  return (
    <div className="grid gap-4">
      <ResourceHeader title={title} backHref={`/apps/greac/sessions/${viewer.sessionId}`} />
      {isHydrated &&
        (isDesktop ? (
          <DesktopDocument fallback={null}>
            <LogViewer {...viewer} />
          </DesktopDocument>
        ) : (
          <LogViewer {...viewer} />
        ))}
    </div>
  );
}
