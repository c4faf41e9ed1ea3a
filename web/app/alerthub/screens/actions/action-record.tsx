// Detail page of a delivery: payload, attempts and responses.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { type Attempt, actionRecord } from '@yagura/core/alerthub/action-record';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { type ItemData, itemData } from '../../../resource/item/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../../resource/item/item-screen.tsx';
import { matchResource } from '../../../resource/match-resource.server.ts';
import { redirectWithNotice, toProblemResponse } from '../../../resource/write/write.server.ts';
import { withApi } from '../../../signin/api.server.ts';
import { getCurrentUser } from '../../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../../signin/same-origin.server.ts';
import { Panel } from '../../../ui/page/panel.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { RequestView } from '../../actions/request-view.tsx';
import { ConfirmButton } from '../../confirm-button.tsx';
import { Attempts } from './attempts.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, user] = await Promise.all([itemData(api, match), getCurrentUser(api)]);
    return { ...data, mayResend: can(user.permissions, permissionFor(actionRecord, 'resend')) };
  });
}

/** Resends a delivery that failed permanently. */
export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const id = args.params.actionRecordId!;
  return withApi(args, async (api) => {
    try {
      await api.client(actionRecord).call('resend', { id });
    } catch (error) {
      return toProblemResponse(error, {});
    }
    return redirectWithNotice(`/apps/alerthub/action-records/${encodeURIComponent(id)}`, 'sent');
  });
}

export default function ActionRecord() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const { attempts, request, status } = data.item;
  const resend = data.mayResend && status === 'failed' && request !== null;
  return (
    <>
      <ItemHeader
        data={data}
        backHref={backHrefOf(data)}
        actions={
          resend && (
            <ConfirmButton
              intent="resend"
              label={t('page.resend')}
              title={t('page.resend-title')}
              text={t('page.resend-text')}
            />
          )
        }
      />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <ItemInfo data={data} />
        <div className="grid gap-5">
          <Panel title={t('page.attempts')}>
            <Attempts attempts={(attempts ?? []) as Attempt[]} />
          </Panel>
          <Panel title={t('page.content')} padded>
            <RequestView request={request} />
          </Panel>
        </div>
      </div>
    </>
  );
}

/** The page of what caused the delivery, or home if nothing of that exists. */
function backHrefOf({ item, references }: Pick<ItemData, 'item' | 'references'>): string {
  const causes = ['message', 'scope', 'action'].map(
    (resource) => references[resource]?.[String(item[`${resource}Id`])]?.href,
  );
  return causes.find((href) => href !== undefined) ?? '/';
}
