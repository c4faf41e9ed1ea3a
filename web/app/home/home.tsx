// Home: how things stand, at one glance. Every number leads to what it counts.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import type { MiniData } from '../resource/mini-data.server.ts';
import { MiniTable } from '../resource/mini-table.tsx';
import { Panel } from '../shell/panel.tsx';
import { screen } from '../signin/api.server.ts';
import { Placeholder } from '../ui/placeholder.tsx';
import { useWords } from '../ui/words.tsx';
import { FirstSteps } from './first-steps.tsx';
import { homeData, type Part } from './home-data.server.ts';
import { StatusTiles } from './status-tiles.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const data = await screen(args, (api) => homeData(api));
  return { ...data, watches: ['scope', 'message', 'event', 'action-record', 'task', 'session'] };
}

const messagesPath = '/apps/alerthub/messages';
const scopesPath = '/apps/alerthub/scopes';

export default function Home() {
  const data = useLoaderData<typeof loader>();
  const { t } = useWords();
  return (
    <div className="grid grid-cols-1 gap-5">
      <h1 className="text-xl font-semibold">{t('shell.home')}</h1>
      {data.start && <FirstSteps {...data.start} />}
      <StatusTiles
        counts={data.counts}
        recent={data.recent}
        failed={data.failed}
        underWay={data.underWay}
        scans={data.scans}
        sessions={data.sessions}
      />
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
        <Panel
          title={t('page.troubled-scopes')}
          actions={<More to={scopesPath}>{t('page.all-scopes')}</More>}
        >
          <Shown part={data.troubled}>
            {(mini) => (
              <MiniTable
                data={mini}
                caption={t('page.troubled-scopes')}
                columns={['status', 'displayName', 'severity', 'lastEventAt']}
                wide={['severity']}
                empty={<Placeholder title={t('page.all-normal')} />}
              />
            )}
          </Shown>
        </Panel>
        <Panel
          title={t('page.latest-messages')}
          actions={<More to={messagesPath}>{t('page.all-messages')}</More>}
        >
          <Shown part={data.messages}>
            {(mini) => (
              <MiniTable
                data={mini}
                caption={t('page.latest-messages')}
                columns={['receivedAt', 'receiveSlotId', 'summary']}
                wide={['receiveSlotId']}
              />
            )}
          </Shown>
        </Panel>
        <div className="lg:col-span-2">
          <Panel id="deliveries" title={t('page.open-deliveries')}>
            <Shown part={data.deliveries}>
              {(mini) => (
                <MiniTable
                  data={mini}
                  caption={t('page.open-deliveries')}
                  columns={['status', 'createdAt', 'actionId', 'kind', 'scopeId', 'triggerId']}
                  wide={['kind', 'scopeId', 'triggerId']}
                  empty={<Placeholder title={t('page.no-open-deliveries')} />}
                />
              )}
            </Shown>
          </Panel>
        </div>
      </div>
    </div>
  );
}

function Shown({ part, children }: { part: Part<MiniData>; children: (value: MiniData) => ReactNode }) {
  return part.ok ? children(part.value) : <Placeholder kind={part.reason} />;
}

function More({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} prefetch="intent" className="text-sm text-primary no-underline hover:underline">
      {children}
    </Link>
  );
}
