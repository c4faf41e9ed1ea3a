// Page of a session's logs for auditors.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can, type Permissions } from '@yagura/core/access/permissions';
import { judgeLog, type LogJudgement } from '@yagura/core/greac/log-judgement';
import { logKey } from '@yagura/core/greac/log-key';
import { type SessionLogPart, type SessionLogParts, session, sessionLog } from '@yagura/core/greac/session';
import { logKinds } from '@yagura/core/greac/session-parameters';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { ifPermitted } from '../../resource/if-permitted.server.ts';
import type { Crumb } from '../../shell/navigation/crumb.ts';
import { type Api, withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { deferComponent } from '../../ui/deferred/defer-component.tsx';
import { loadChunk } from '../../ui/deferred/load-chunk.ts';
import { ResourceHeader } from '../../ui/page/resource-header.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { useIsHydrated } from '../../ui/use-is-hydrated.ts';
import { DesktopDocument } from '../desktop/desktop-document.tsx';
import { replyWithPrivateKey } from '../private-key.server.ts';
import { sessionLogsPath } from '../session-logs-path.ts';

const LogViewer = deferComponent(async () => {
  const loaded = await loadChunk('log-viewer', () => import('../logs/log-viewer.tsx'));
  return { default: loaded.LogViewer };
});

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const sessionId = args.params.sessionId!;
    const [item, log, { permissions }] = await Promise.all([
      // Auditors see the logs of sessions that they do not see.
      ifPermitted(api, session, 'show', () => api.client(session).show(sessionId), null),
      api.client(sessionLog).call<SessionLogParts>('log-parts', { id: sessionId }),
      getCurrentUser(api),
    ]);
    const { items: parts, ends, isOpen } = log;
    const name = item?.destinationName ?? sessionId;
    const logs = await Promise.all(
      logKinds
        .filter((kind) => can(permissions, permissionFor(sessionLog, `${kind}-log`)))
        .filter((kind) => [...parts, ...ends].some((one) => one.kind === kind))
        .map(async (kind) => ({
          kind,
          parts: parts.filter((part) => part.kind === kind),
          judgement: await judgeLog(kind, log),
        })),
    );
    return {
      sessionId,
      isOpen,
      // The end of a log is stored after its session was closed; an auditor who plays a whole one is not interrupted.
      watches: isOpen || logs.length === 0 || logs.some(isCut) ? [session.name] : [],
      name,
      backHref: item ? `${session.screen}/${sessionId}` : sessionLogsPath,
      // Without the session, its protocol is not known.
      mayBeDesktop: item === null || item.protocol === 'rdp',
      logs,
      storedKeyId: await findStoredKey(api, parts, permissions),
      crumbs: [
        { to: '/apps/greac', labelKey: 'shell.greac' },
        ...(item
          ? [
              { to: session.screen!, noun: session.noun },
              { to: `${session.screen}/${sessionId}`, text: name },
              { noun: sessionLog.noun },
            ]
          : [{ to: sessionLogsPath, noun: sessionLog.noun }, { text: name }]),
      ] satisfies Crumb[],
    };
  });
}

const isCut = ({ judgement }: { judgement: LogJudgement }) => judgement.verdict === 'cut';

/** The key of the logs, unless the user may not fetch its private key, or can see that the server does not have it. */
async function findStoredKey(
  api: Api,
  parts: readonly SessionLogPart[],
  permissions: Permissions,
): Promise<string | null> {
  const keyId = parts.find((part) => part.keyId !== null)?.keyId;
  if (!keyId || !can(permissions, permissionFor(logKey, 'private-key'))) return null;
  if (!can(permissions, permissionFor(logKey, 'show'))) return keyId;
  const key = await api.client(logKey).find(keyId);
  return key?.hasPrivateKey ? keyId : null;
}

/** Fetches the private key of the logs. */
export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const id = String((await args.request.formData()).get('keyId') ?? '');
  return withApi(args, (api) => replyWithPrivateKey(api, id));
}

export default function SessionLogs() {
  const {
    name,
    backHref,
    mayBeDesktop,
    crumbs: _,
    watches: _watches,
    ...viewer
  } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const isHydrated = useIsHydrated();
  const title = t('recording.title', { name });
  return (
    <div className="grid gap-4">
      <ResourceHeader title={title} backHref={backHref} />
      {isHydrated &&
        (mayBeDesktop ? (
          <DesktopDocument fallback={null}>
            <LogViewer {...viewer} />
          </DesktopDocument>
        ) : (
          <LogViewer {...viewer} />
        ))}
    </div>
  );
}
