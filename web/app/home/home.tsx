// Home: how things stand, at one glance. Every number leads to what it counts.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import type { MiniData } from '../resource/mini-data.server.ts';
import { MiniTable } from '../resource/mini-table.tsx';
import { preferencesOf } from '../shell/choice.server.ts';
import type { Crumb } from '../shell/crumb.ts';
import { Panel } from '../shell/panel.tsx';
import { withApi } from '../signin/api.server.ts';
import { Placeholder } from '../ui/placeholder.tsx';
import { useTranslation } from '../ui/words.tsx';
import { Beginnings } from './beginnings.tsx';
import { FirstSteps } from './first-steps.tsx';
import { homeColumns } from './home-columns.ts';
import { homeData, type Part } from './home-data.server.ts';
import { MessageDays } from './message-days.tsx';
import { StatusTiles } from './status-tiles.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const data = await withApi(args, (api) => homeData(api, preferencesOf(args.request)));
  const crumbs: Crumb[] = [{ to: '/', labelKey: 'shell.home' }];
  return {
    ...data,
    crumbs,
    watches: ['scope', 'receive-slot', 'message', 'event', 'action-record', 'task', 'session', 'result'],
  };
}

const messagesPath = '/apps/alerthub/messages';
const scopesPath = '/apps/alerthub/scopes';
const changesPath = '/preference/audit-records';

export default function Home() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <div className="grid grid-cols-1 gap-5">
      <h1 className="text-xl font-semibold">{t('shell.home')}</h1>
      {data.start && <FirstSteps {...data.start} />}
      <StatusTiles {...data} />
      {data.beginnings.length > 0 && <Beginnings beginnings={data.beginnings} />}
      {data.days.ok && data.days.value.some(({ received }) => received > 0) && (
        <MessageDays days={data.days.value} />
      )}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
        <Rows
          part={data.troubled}
          title={t('page.troubled-scopes')}
          actions={<More to={scopesPath}>{t('page.all-scopes')}</More>}
          columns={homeColumns.troubled}
          wide={['severity']}
          empty={t('page.all-normal')}
        />
        <Rows
          part={data.messages}
          title={t('page.latest-messages')}
          actions={<More to={messagesPath}>{t('page.all-messages')}</More>}
          columns={homeColumns.messages}
          wide={['receiveSlotId']}
        />
        <Rows
          part={data.deliveries}
          id="deliveries"
          title={t('page.open-deliveries')}
          columns={homeColumns.deliveries}
          wide={['scopeId']}
          empty={t('page.no-open-deliveries')}
        />
        <Rows
          part={data.changes}
          title={t('page.changes')}
          actions={<More to={changesPath}>{t('page.all-changes')}</More>}
          columns={homeColumns.changes}
          wide={['resource']}
        />
      </div>
    </div>
  );
}

/** What may not be listed is not there; what failed says so. */
function Rows(props: {
  part: Part<MiniData>;
  title: string;
  columns: readonly string[];
  wide?: readonly string[];
  id?: string;
  actions?: ReactNode;
  /** Said when there are no rows. */
  empty?: string;
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
          wide={props.wide}
          empty={empty && <Placeholder title={empty} />}
        />
      ) : (
        <Placeholder kind={part.reason} />
      )}
    </Panel>
  );
}

function More({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} prefetch="intent" className="text-sm text-primary no-underline hover:underline">
      {children}
    </Link>
  );
}
