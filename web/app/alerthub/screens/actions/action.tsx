// Detail page of an action: settings, test delivery and latest deliveries.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { action as actionResource } from '@yagura/core/alerthub/action';
import { actionRecord } from '@yagura/core/alerthub/action-record';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { itemData } from '../../../resource/item/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../../resource/item/item-screen.tsx';
import { miniData } from '../../../resource/list/mini-data.server.ts';
import { MiniTable } from '../../../resource/list/mini-table.tsx';
import { matchResource } from '../../../resource/match-resource.server.ts';
import {
  redirectWithNotice,
  removeItemAction,
  toProblemResponse,
} from '../../../resource/write/write.server.ts';
import { withApi } from '../../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../../signin/same-origin.server.ts';
import { Panel } from '../../../ui/page/panel.tsx';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { SigningSecret } from '../../actions/signing-secret.tsx';
import { ConfirmButton } from '../../confirm-button.tsx';
import { ShowAll } from '../../whole-list/show-all.tsx';
import { wholeList } from '../../whole-list/whole-list.server.ts';
import { WholeList } from '../../whole-list/whole-list.tsx';

const maxRows = 10;

/** Maps form intents that return the signing secret to their API calls. */
const secretCalls: Record<string, string | undefined> = {
  'show-secret': 'signing-secret',
  'renew-secret': 'renew-signing-secret',
};
/** Kinds of actions whose requests are signed. */
const signedKinds = ['webhook', 'webhookOnPremises'];

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const user = await getCurrentUser(api);
    const filter = `actionId eq ${JSON.stringify(match.rest[0])}`;
    const [data, whole] = await Promise.all([
      itemData(api, match),
      wholeList(api, args.request, [
        { resource: actionRecord, screen: actionRecord.screen!, fixedQuery: { filter } },
      ]),
    ]);
    const deliveries =
      !whole && resourcePermissions(user, actionRecord).list
        ? await miniData(api, actionRecord, { sort: '-createdAt', limit: maxRows, filter })
        : null;
    const mayTest = can(user.permissions, permissionFor(actionResource, 'test'));
    const maySign =
      signedKinds.includes(String(data.item.kind)) &&
      can(user.permissions, permissionFor(actionResource, 'signing-secret'));
    return { ...data, whole, deliveries, mayTest, maySign, watches: ['action', 'action-record'] };
  });
}

/** Shows or renews the signing secret, sends a test, or deletes the action, depending on the intent. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData();
  const secretCall = secretCalls[String(form.get('intent'))];
  if (form.get('intent') !== 'test' && !secretCall) return removeItemAction(args);
  rejectCrossSiteRequest(args.request, args.context);
  if (secretCall) return handleSecretCall(args, secretCall);
  return withApi(args, async (api) => {
    try {
      const made = await api
        .client(actionResource)
        .call<{ actionRecordId: string }>('test', { id: args.params.actionId });
      return redirectWithNotice(`/apps/alerthub/action-records/${made.actionRecordId}`, 'sent');
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

async function handleSecretCall(args: ActionFunctionArgs, call: string) {
  return withApi(args, async (api) => {
    try {
      return await api.client(actionResource).call<{ secret: string }>(call, { id: args.params.actionId });
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export default function Action() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const noDeliveries = <Placeholder title={t('page.no-action-deliveries')} />;
  return (
    <>
      <ItemHeader
        data={data}
        actions={
          data.mayTest && (
            <ConfirmButton
              intent="test"
              label={t('page.test-send')}
              title={t('page.test-send-title')}
              text={t('page.test-send-text')}
            />
          )
        }
      />
      {data.whole ? (
        <WholeList data={data.whole} empty={noDeliveries} />
      ) : (
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <div className="grid gap-5">
            <ItemInfo data={data} without={data.item.deliveryWarning ? [] : ['deliveryWarning']} />
            {data.maySign && <SigningSecret key={String(data.item.actionId)} />}
          </div>
          {data.deliveries && (
            <Panel
              title={t('page.latest-deliveries')}
              actions={<ShowAll data={data.deliveries} caption={t('page.latest-deliveries')} />}
            >
              <MiniTable
                data={data.deliveries}
                columns={['status', 'createdAt', 'scopeId', 'drill', 'nextAttemptAt']}
                hiddenOnMobile={['drill', 'nextAttemptAt']}
                caption={t('page.latest-deliveries')}
                empty={noDeliveries}
              />
            </Panel>
          )}
        </div>
      )}
    </>
  );
}
