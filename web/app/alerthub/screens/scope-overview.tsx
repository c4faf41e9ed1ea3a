// How a scope stands: its facts, its severities, and what last happened to it.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData, useRouteLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/claims';
import { actionRecord } from '@yagura/core/alerthub/action-record';
import { event } from '@yagura/core/alerthub/event';
import { type scope as scopeResource, severity } from '@yagura/core/alerthub/scope';
import {
  type AnyResource,
  type Item,
  inputFields,
  permissionFor,
} from '@yagura/core/resource/define-resource';
import type { ItemData } from '../../resource/item-data.server.ts';
import { ItemInfo } from '../../resource/item-screen.tsx';
import { miniData } from '../../resource/mini-data.server.ts';
import { MiniTable } from '../../resource/mini-table.tsx';
import { leave, refuse } from '../../resource/write.server.ts';
import { Panel } from '../../shell/panel.tsx';
import { type Api, withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/grant.server.ts';
import { refuseForeign } from '../../signin/same-origin.server.ts';
import { readForm } from '../../ui/form-data.ts';
import { Placeholder } from '../../ui/placeholder.tsx';
import { useTranslation } from '../../ui/words.tsx';
import { ThresholdScale } from '../threshold-scale.tsx';
import { RaiseEvent } from './raise-event.tsx';
import { ResetButton } from './reset-button.tsx';

type ScopeItem = Item<typeof scopeResource>;

const few = 10;

export async function loader(args: LoaderFunctionArgs) {
  const place = { scopeId: args.params.scopeId! };
  const newest = { sort: '-createdAt', limit: few };
  return withApi(args, async (api) => {
    const user = await getCurrentUser(api);
    const readable = <T,>(resource: AnyResource, load: () => Promise<T>) =>
      resourcePermissions(user, resource).list ? load() : null;
    const [severities, events, deliveries] = await Promise.all([
      readable(severity, () => miniData(api, severity, { sort: '-value,name', limit: 100 }, place)),
      readable(event, () => miniData(api, event, newest, place)),
      readable(actionRecord, () =>
        miniData(api, actionRecord, { ...newest, filter: `scopeId eq ${JSON.stringify(place.scopeId)}` }),
      ),
    ]);
    return {
      severities,
      events,
      deliveries,
      raise: resourcePermissions(user, event).create ? inputFields(event) : null,
      mayReset: can(user.grant, permissionFor(severity, 'reset')),
      watches: ['scope', 'severity', 'event', 'action-record'],
    };
  });
}

/** Resets severities or raises an event, as the form says. */
export async function action(args: ActionFunctionArgs) {
  refuseForeign(args.request, args.context);
  const place = { scopeId: args.params.scopeId! };
  const back = `/apps/alerthub/scopes/${encodeURIComponent(place.scopeId)}`;
  const form = await args.request.formData();
  return withApi(args, async (api) => {
    if (form.get('intent') === 'reset') return reset(api, place, form.get('name'), back);
    const values = readForm(form, inputFields(event));
    try {
      await api.client(event).create(values as never, place);
    } catch (error) {
      return refuse(error, values);
    }
    return leave(back, 'raised');
  });
}

async function reset(api: Api, params: { scopeId: string }, name: FormDataEntryValue | null, back: string) {
  try {
    const body = typeof name === 'string' && name ? { names: [name] } : {};
    await api.client(severity).call('reset', { params, body });
  } catch (error) {
    return refuse(error, {});
  }
  return leave(back, 'reset');
}

export default function ScopeOverview() {
  const { severities, events, deliveries, raise, mayReset } = useLoaderData<typeof loader>();
  const scope = useRouteLoaderData('scope') as ItemData | undefined;
  const { t } = useTranslation();
  if (!scope) return null;
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
            actions={mayReset && raised && severities.rows.length > 1 && <ResetButton name={null} />}
          >
            <MiniTable
              data={severities}
              caption={t('page.severities-by-name')}
              columns={['status', 'name', 'value', 'updatedAt']}
              wide={['updatedAt']}
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
        <ItemInfo data={scope} without={['severity']} />
      </div>
      <div className="grid gap-5">
        {events && (
          <Panel title={t('page.latest-events')} actions={raise && <RaiseEvent meta={raise} />}>
            <MiniTable
              data={events}
              caption={t('page.latest-events')}
              columns={['status', 'createdAt', 'severityName', 'delta', 'severity', 'source']}
              wide={['severityName', 'source']}
              empty={<Placeholder title={t('page.no-events')} />}
            />
          </Panel>
        )}
        {deliveries && (
          <Panel title={t('page.latest-deliveries')}>
            <MiniTable
              data={deliveries}
              caption={t('page.latest-deliveries')}
              columns={['status', 'createdAt', 'actionId', 'triggerId']}
              wide={['triggerId']}
              empty={<Placeholder title={t('page.no-deliveries')} />}
            />
          </Panel>
        )}
      </div>
    </div>
  );
}
