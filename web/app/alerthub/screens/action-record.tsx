// A delivery: what is sent, every attempt, and what came back.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/claims';
import { type Attempt, actionRecord } from '@yagura/core/alerthub/action-record';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { leave, refuse } from '../../resource/write.server.ts';
import { Panel } from '../../shell/panel.tsx';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/grant.server.ts';
import { refuseForeign } from '../../signin/same-origin.server.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { useTranslation } from '../../ui/words.tsx';
import { ConfirmButton } from './asked-button.tsx';
import { Attempts } from './attempts.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const placed = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, person] = await Promise.all([itemData(api, placed), getCurrentUser(api)]);
    return { ...data, mayResend: can(person.grant, permissionFor(actionRecord, 'resend')) };
  });
}

/** Sends a delivery that was given up again. */
export async function action(args: ActionFunctionArgs) {
  refuseForeign(args.request, args.context);
  const id = args.params.actionRecordId!;
  return withApi(args, async (api) => {
    try {
      await api.client(actionRecord).call('resend', { id });
    } catch (error) {
      return refuse(error, {});
    }
    return leave(`/apps/alerthub/action-records/${encodeURIComponent(id)}`, 'sent');
  });
}

export default function ActionRecord() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const { actionId, scopeId, messageId, attempts, request, status } = data.item;
  const home = messageId ? `messages/${messageId}` : scopeId ? `scopes/${scopeId}` : `actions/${actionId}`;
  const resend = data.mayResend && status === 'failed' && request !== null;
  return (
    <>
      <ItemHeader
        data={data}
        backHref={`/apps/alerthub/${home}`}
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
          <Panel title={t('page.sent')} padded>
            <JsonView value={request} />
          </Panel>
        </div>
      </div>
    </>
  );
}
