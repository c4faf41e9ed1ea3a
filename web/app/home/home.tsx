// Home page: status at a glance; every number links to its list.
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { acknowledgeAction } from '../alerthub/screens/scopes/acknowledge.server.ts';
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
import { UnhealthyScopes } from './unhealthy-scopes.tsx';

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

/** Acknowledges a scope. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData();
  const scopeId = String(form.get('scopeId'));
  const response = await acknowledgeAction(args, form, { scopeId, page: '/' });
  if (response === undefined) throw data(null, { status: 400 });
  return response;
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
      {data.setupProgress && <SetupSteps {...data.setupProgress} />}
      {data.isEmpty && <Placeholder kind="forbidden" />}
      <StatusTiles {...data} />
      {data.createLinks.length > 0 && <CreateLinks links={data.createLinks} />}
      {data.days.ok && data.days.value.some(({ received }) => received > 0) && (
        <MessageDays days={data.days.value} />
      )}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
        <HomeSection
          part={data.unhealthyScopes}
          title={t('page.troubled-scopes')}
          actions={<MoreLink to={scopesPath}>{t('page.all-scopes')}</MoreLink>}
        >
          {(value) => <UnhealthyScopes data={value} caption={t('page.troubled-scopes')} />}
        </HomeSection>
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

function HomeList(props: {
  part: SectionResult<MiniData>;
  title: string;
  columns: readonly string[];
  wide?: readonly string[];
  id?: string;
  actions?: ReactNode;
  /** Shown when there are no rows. */
  empty?: string;
}) {
  const { title, empty } = props;
  return (
    <HomeSection {...props}>
      {(value) => (
        <MiniTable
          data={value}
          caption={title}
          columns={props.columns}
          hiddenOnMobile={props.wide}
          empty={empty && <Placeholder title={empty} />}
        />
      )}
    </HomeSection>
  );
}

/** A forbidden part is not shown; a failed one shows an error. */
function HomeSection<T>(props: {
  part: SectionResult<T>;
  title: string;
  id?: string;
  actions?: ReactNode;
  children: (value: T) => ReactNode;
}) {
  const { part } = props;
  if (!part.ok && part.reason === 'forbidden') return null;
  return (
    <Panel id={props.id} title={props.title} actions={props.actions}>
      {part.ok ? props.children(part.value) : <Placeholder kind={part.reason} />}
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
