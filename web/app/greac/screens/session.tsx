// One session: its history, who is in it, and how to join or end it.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/claims';
import { session } from '@yagura/core/greac/session';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/grant.server.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/words.tsx';
import { EndButton } from '../end-button.tsx';
import { type Participant, Participants } from '../participants.tsx';
import { sessionAction } from './session-actions.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const placed = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, { grant }] = await Promise.all([itemData(api, placed), getCurrentUser(api)]);
    const may = (call: string) => can(grant, permissionFor(session, call));
    return {
      data,
      crumbs: data.crumbs,
      watches: data.watches,
      may: { join: may('join'), close: may('close'), force: may('close-force') },
    };
  });
}

export const action = sessionAction;

export default function Session() {
  const { data, may } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const { sessionId, status, participants, logs } = data.item as unknown as {
    sessionId: string;
    status: string;
    participants: Participant[];
    logs: Held;
  };
  return (
    <div key={sessionId}>
      <ItemHeader data={data} />
      {status === 'opened' && (
        <div className="mb-3 flex flex-wrap gap-2">
          {may.join && (
            <LinkButton to={`/apps/greac/connect/${sessionId}`} variant="primary">
              {t('greac.join')}
            </LinkButton>
          )}
          {may.close && <EndButton />}
          {may.force && <EndButton force />}
        </div>
      )}
      <ItemInfo
        data={data}
        fields={{ participants: <Participants people={participants} />, logs: <Logs held={logs} /> }}
      />
    </div>
  );
}

interface Held {
  text: boolean;
  video: boolean;
}

/** Which recordings there are. */
function Logs({ held }: { held: Held }) {
  const { t } = useTranslation();
  const kinds = [held.text && t('greac.text-log'), held.video && t('greac.video-log')].filter(Boolean);
  if (kinds.length === 0) return <span className="text-muted">{t('greac.no-logs')}</span>;
  return kinds.join(' · ');
}
