// Detail page of a session: history, participants, joining and ending.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { session, sessionLog } from '@yagura/core/greac/session';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { usePrefetchedDesktop } from '../desktop/use-prefetched-desktop.ts';
import { EndSessionButton } from '../end-session-button.tsx';
import { type Failure, FailureInfo } from '../failure-info.tsx';
import { type Participant, ParticipantList } from '../participants.tsx';
import { sessionAction } from './session-actions.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, { permissions }] = await Promise.all([itemData(api, match), getCurrentUser(api)]);
    const isAllowed = (call: string) => can(permissions, permissionFor(session, call));
    return {
      data,
      crumbs: data.crumbs,
      watches: data.watches,
      may: {
        join: isAllowed('join'),
        close: isAllowed('close'),
        force: isAllowed('close-force'),
        logs: can(permissions, permissionFor(sessionLog, 'log-parts')),
      },
    };
  });
}

export const action = sessionAction;

export default function Session() {
  const { data, may } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const { sessionId, protocol, status, participants, logs, failure } = data.item as unknown as {
    sessionId: string;
    protocol: string;
    status: string;
    participants: Participant[];
    logs: RecordedLogs;
    failure: Failure | null;
  };
  const isDesktop = protocol === 'rdp';
  usePrefetchedDesktop(isDesktop && may.join && status === 'opened');
  return (
    <div key={sessionId}>
      <ItemHeader data={data} />
      {status === 'opened' && (
        <div className="mb-3 flex flex-wrap gap-2">
          {may.join && (
            <LinkButton to={`/apps/greac/connect/${sessionId}`} reloadDocument={isDesktop} variant="primary">
              {t('greac.join')}
            </LinkButton>
          )}
          {may.join && (
            <LinkButton to={`/apps/greac/connect/${sessionId}?mode=watch`} reloadDocument={isDesktop}>
              {t('terminal.watch')}
            </LinkButton>
          )}
          {may.close && <EndSessionButton />}
          {may.force && <EndSessionButton force />}
        </div>
      )}
      {status === 'closed' && may.logs && (logs.text || logs.video) && (
        <div className="mb-3">
          <LinkButton to={`/apps/greac/sessions/${sessionId}/logs`} reloadDocument={isDesktop}>
            {t('recording.view')}
          </LinkButton>
        </div>
      )}
      <ItemInfo
        data={data}
        fields={{
          participants: <ParticipantList participants={participants} />,
          logs: <RecordedLogList recorded={logs} />,
          ...(failure ? { failure: <FailureInfo failure={failure} /> } : {}),
        }}
      />
    </div>
  );
}

interface RecordedLogs {
  text: boolean;
  video: boolean;
}

/** Lists the available recordings. */
function RecordedLogList({ recorded }: { recorded: RecordedLogs }) {
  const { t } = useTranslation();
  const kinds = [recorded.text && t('greac.text-log'), recorded.video && t('greac.video-log')].filter(
    Boolean,
  );
  if (kinds.length === 0) return <span className="text-muted">{t('greac.no-logs')}</span>;
  return kinds.join(' · ');
}
