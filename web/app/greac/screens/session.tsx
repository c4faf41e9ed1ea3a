// One session: its history, who is in it, and how to join or end it.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/claims';
import { session } from '@yagura/core/greac/session';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item-screen.tsx';
import { resourceAt } from '../../resource/place.server.ts';
import { screen } from '../../signin/api.server.ts';
import { personOf } from '../../signin/grant.server.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useWords } from '../../ui/words.tsx';
import { EndButton } from '../end-button.tsx';
import { type Participant, Participants } from '../participants.tsx';
import { sessionAction } from './session-actions.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const placed = resourceAt(new URL(args.request.url).pathname);
  return screen(args, async (api) => {
    const [data, { grant }] = await Promise.all([itemData(api, placed), personOf(api)]);
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
  const { t } = useWords();
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
            <LinkButton to={`/apps/greac/connect/${sessionId}`} look="primary">
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
  const { t } = useWords();
  const kinds = [held.text && t('greac.text-log'), held.video && t('greac.video-log')].filter(Boolean);
  if (kinds.length === 0) return <span className="text-muted">{t('greac.no-logs')}</span>;
  return kinds.join(' · ');
}
