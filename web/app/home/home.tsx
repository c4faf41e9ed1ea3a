// Home page: status at a glance; every number links to its list.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { MutedNote } from '../alerthub/mutes/muted-note.tsx';
import { preferencesOf } from '../preferences/preferences.server.ts';
import type { MiniData } from '../resource/list/mini-data.server.ts';
import { MiniTable } from '../resource/list/mini-table.tsx';
import type { Crumb } from '../shell/navigation/crumb.ts';
import { withApi } from '../signin/api.server.ts';
import { Panel } from '../ui/page/panel.tsx';
import { Placeholder } from '../ui/page/placeholder.tsx';
import { useTranslation } from '../ui/translation.tsx';
import { CreateLinks } from './create-links.tsx';
import { homeColumns } from './home-columns.ts';
import { loadHomeData, type SectionResult } from './home-data.server.ts';
import { MessageDays } from './message-days.tsx';
import { SetupSteps } from './setup-steps.tsx';
import { StatusTiles } from './status-tiles.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const data = await withApi(args, (api) => loadHomeData(api, preferencesOf(args.request)));
  const crumbs: Crumb[] = [{ to: '/', labelKey: 'shell.home' }];
  return {
    ...data,
    crumbs,
    watches: [
      'scope',
      'mute-schedule',
      'receive-slot',
      'message',
      'event',
      'action-record',
      'task',
      'session',
      'result',
    ],
  };
}

const messagesPath = '/apps/alerthub/messages';
const scopesPath = '/apps/alerthub/scopes';
const changesPath = '/preference/audit-records';

export default function Home() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const muted = data.unhealthyScopes.ok ? data.unhealthyScopes.value.muted : {};
  return (
    <div className="grid grid-cols-1 gap-5">
      <h1 className="text-xl font-semibold">{t('shell.home')}</h1>
      {data.setupProgress && <SetupSteps {...data.setupProgress} />}
      {data.isEmpty && <Placeholder kind="forbidden" />}
      <StatusTiles {...data} />
      {data.createLinks.length > 0 && <CreateLinks links={data.createLinks} />}
      {data.days.ok && data.days.value.some(({ received }) => received > 0) && (
        <MessageDays days={data.days.value} />
      )}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
        <HomeList
          part={data.unhealthyScopes}
          title={t('page.troubled-scopes')}
          actions={<MoreLink to={scopesPath}>{t('page.all-scopes')}</MoreLink>}
          columns={homeColumns.unhealthyScopes}
          notes={{ displayName: ({ scopeId }) => <MutedNote until={muted[String(scopeId)]} /> }}
          wide={['severity', 'lastEventAt']}
          empty={t('page.all-normal')}
        />
        <HomeList
          part={data.messages}
          title={t('page.latest-messages')}
          actions={<MoreLink to={messagesPath}>{t('page.all-messages')}</MoreLink>}
          columns={homeColumns.messages}
          wide={['receiveSlotId']}
        />
        <HomeList
          part={data.deliveries}
          id="deliveries"
          title={t('page.open-deliveries')}
          columns={homeColumns.deliveries}
          wide={['scopeId']}
          empty={t('page.no-open-deliveries')}
        />
        <HomeList
          part={data.changes}
          title={t('page.changes')}
          actions={<MoreLink to={changesPath}>{t('page.all-changes')}</MoreLink>}
          columns={homeColumns.changes}
          wide={['resource']}
        />
      </div>
    </div>
  );
}

/** A forbidden part is not shown; a failed one shows an error. */
function HomeList(props: {
  part: SectionResult<MiniData>;
  title: string;
  columns: readonly string[];
  wide?: readonly string[];
  id?: string;
  actions?: ReactNode;
  /** Shown when there are no rows. */
  empty?: string;
  notes?: Record<string, (row: Record<string, unknown>) => ReactNode>;
}) {
  const { part, title, empty } = props;
  if (!part.ok && part.reason === 'forbidden') return null;
  return (
    <Panel id={props.id} title={title} actions={props.actions}>
      {part.ok ? (
        <MiniTable
          data={part.value}
          caption={title}
          columns={props.columns}
          hiddenOnMobile={props.wide}
          notes={props.notes}
          empty={empty && <Placeholder title={empty} />}
        />
      ) : (
        <Placeholder kind={part.reason} />
      )}
    </Panel>
  );
}

function MoreLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} prefetch="intent" className="text-sm text-primary no-underline hover:underline">
      {children}
    </Link>
  );
}
