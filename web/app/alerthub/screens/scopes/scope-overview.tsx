// Overview of a scope: status, severities and latest activity.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData, useRouteLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { actionRecord } from '@yagura/core/alerthub/action-record';
import { event } from '@yagura/core/alerthub/event';
import { type scope as scopeResource, severity } from '@yagura/core/alerthub/scope';
import {
  type AnyResource,
  type Item,
  inputFields,
  permissionFor,
} from '@yagura/core/resource/define-resource';
import type { ItemData } from '../../../resource/item/item-data.server.ts';
import { ItemInfo } from '../../../resource/item/item-screen.tsx';
import { miniData } from '../../../resource/list/mini-data.server.ts';
import { MiniTable } from '../../../resource/list/mini-table.tsx';
import { redirectWithNotice, toProblemResponse } from '../../../resource/write/write.server.ts';
import { type Api, withApi } from '../../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../../signin/same-origin.server.ts';
import { readForm } from '../../../ui/field/form-data.ts';
import { Panel } from '../../../ui/page/panel.tsx';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { ThresholdScale } from '../../severity/threshold-scale.tsx';
import { ShowAll } from '../../whole-list/show-all.tsx';
import { wholeList } from '../../whole-list/whole-list.server.ts';
import { WholeList } from '../../whole-list/whole-list.tsx';
import { RaiseEvent } from './raise-event.tsx';
import { ResetButton } from './reset-button.tsx';

type ScopeItem = Item<typeof scopeResource>;

const maxRows = 10;
/** Shown while somebody has acknowledged the scope. */
const acknowledgementFields = ['acknowledgedAt', 'acknowledgedBy', 'acknowledgementNote'];

export async function loader(args: LoaderFunctionArgs) {
  const pathParams = { scopeId: args.params.scopeId! };
  const ofScope = `scopeId eq ${JSON.stringify(pathParams.scopeId)}`;
  return withApi(args, async (api) => {
    const whole = await wholeList(api, args.request, [
      { resource: event, screen: event.screen!, params: pathParams },
      { resource: actionRecord, screen: actionRecord.screen!, fixedQuery: { filter: ofScope } },
    ]);
    return {
      whole,
      overview: whole ? null : await loadOverview(api, pathParams, ofScope),
      watches: ['scope', 'severity', 'event', 'action-record'],
    };
  });
}

async function loadOverview(api: Api, pathParams: { scopeId: string }, ofScope: string) {
  const newest = { sort: '-createdAt', limit: maxRows };
  const user = await getCurrentUser(api);
  const readable = <T,>(resource: AnyResource, load: () => Promise<T>) =>
    resourcePermissions(user, resource).list ? load() : null;
  const [severities, events, deliveries] = await Promise.all([
    readable(severity, () => miniData(api, severity, { sort: '-value,name', limit: 100 }, pathParams)),
    readable(event, () => miniData(api, event, newest, pathParams)),
    readable(actionRecord, () => miniData(api, actionRecord, { ...newest, filter: ofScope })),
  ]);
  return {
    severities,
    events,
    deliveries,
    raise: resourcePermissions(user, event).create ? inputFields(event) : null,
    mayReset: can(user.permissions, permissionFor(severity, 'reset')),
  };
}

/** Resets severities or raises an event, depending on the form. */
export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const pathParams = { scopeId: args.params.scopeId! };
  const back = `/apps/alerthub/scopes/${encodeURIComponent(pathParams.scopeId)}`;
  const form = await args.request.formData();
  return withApi(args, async (api) => {
    if (form.get('intent') === 'reset') return resetSeverity(api, pathParams, form.get('name'), back);
    const values = readForm(form, inputFields(event));
    try {
      await api.client(event).create(values as never, pathParams);
    } catch (error) {
      return toProblemResponse(error, values);
    }
    return redirectWithNotice(back, 'raised');
  });
}

async function resetSeverity(
  api: Api,
  params: { scopeId: string },
  name: FormDataEntryValue | null,
  back: string,
) {
  try {
    const body = typeof name === 'string' && name ? { names: [name] } : {};
    await api.client(severity).call('reset', { params, body });
  } catch (error) {
    return toProblemResponse(error, {});
  }
  return redirectWithNotice(back, 'reset');
}

export default function ScopeOverview() {
  const { whole, overview } = useLoaderData<typeof loader>();
  const scope = useRouteLoaderData('scope') as ItemData | undefined;
  const { t } = useTranslation();
  if (whole) {
    const none = whole.meta.name === event.name ? t('page.no-events') : t('page.no-deliveries');
    return <WholeList data={whole} empty={<Placeholder title={none} />} />;
  }
  if (!scope || !overview) return null;
  const { severities, events, deliveries, raise, mayReset } = overview;
  const { severity: value, thresholds } = scope.item as unknown as ScopeItem;
  const raised = severities?.rows.some((row) => Number(row.value) > 0) ?? false;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <div className="grid gap-5">
        <Panel title={t('page.severity-scale')} padded>
          <ThresholdScale severity={value} thresholds={thresholds} />
        </Panel>
        {severities && (
          <Panel
            title={t('page.severities-by-name')}
            actions={
              <>
                <ShowAll data={severities} caption={t('page.severities-by-name')} to="settings" />
                {mayReset && raised && severities.rows.length > 1 && <ResetButton name={null} />}
              </>
            }
          >
            <MiniTable
              data={severities}
              caption={t('page.severities-by-name')}
              columns={['status', 'name', 'value', 'updatedAt']}
              hiddenOnMobile={['updatedAt']}
              extra={
                mayReset
                  ? {
                      label: t('verb.reset'),
                      render: (row) => Number(row.value) > 0 && <ResetButton name={String(row.name)} />,
                    }
                  : undefined
              }
            />
          </Panel>
        )}
        <ItemInfo
          data={scope}
          without={scope.item.acknowledgedAt ? ['severity'] : ['severity', ...acknowledgementFields]}
        />
      </div>
      <div className="grid gap-5">
        {events && (
          <Panel
            title={t('page.latest-events')}
            actions={
              <>
                <ShowAll data={events} caption={t('page.latest-events')} />
                {raise && <RaiseEvent meta={raise} />}
              </>
            }
          >
            <MiniTable
              data={events}
              caption={t('page.latest-events')}
              columns={['status', 'createdAt', 'severityName', 'delta', 'severity', 'source']}
              hiddenOnMobile={['severityName', 'delta', 'source']}
              empty={<Placeholder title={t('page.no-events')} />}
            />
          </Panel>
        )}
        {deliveries && (
          <Panel
            title={t('page.latest-deliveries')}
            actions={<ShowAll data={deliveries} caption={t('page.latest-deliveries')} />}
          >
            <MiniTable
              data={deliveries}
              caption={t('page.latest-deliveries')}
              columns={['status', 'createdAt', 'actionId', 'triggerId']}
              hiddenOnMobile={['triggerId']}
              empty={<Placeholder title={t('page.no-deliveries')} />}
            />
          </Panel>
        )}
      </div>
    </div>
  );
}
