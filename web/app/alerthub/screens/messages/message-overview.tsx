// Overview of a message: fields, body, headers and resulting deliveries.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData, useRouteLoaderData } from '@remix-run/react';
import { actionRecord } from '@yagura/core/alerthub/action-record';
import type { ItemData } from '../../../resource/item/item-data.server.ts';
import { ItemInfo } from '../../../resource/item/item-screen.tsx';
import { miniData } from '../../../resource/list/mini-data.server.ts';
import { MiniTable } from '../../../resource/list/mini-table.tsx';
import { withApi } from '../../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../../signin/current-user.server.ts';
import { Panel } from '../../../ui/page/panel.tsx';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { type MailContent, type MailMetadata, MailView } from '../../messages/mail-view.tsx';
import { type MessageContent, type MessageMetadata, MessageView } from '../../messages/message-view.tsx';
import { ShowAll } from '../../whole-list/show-all.tsx';
import { wholeList } from '../../whole-list/whole-list.server.ts';
import { WholeList } from '../../whole-list/whole-list.tsx';

const max = 100;

export async function loader(args: LoaderFunctionArgs) {
  const filter = `messageId eq ${JSON.stringify(args.params.messageId)}`;
  return withApi(args, async (api) => {
    const whole = await wholeList(api, args.request, [
      { resource: actionRecord, screen: actionRecord.screen!, fixedQuery: { filter } },
    ]);
    const deliveries =
      !whole && resourcePermissions(await getCurrentUser(api), actionRecord).list
        ? await miniData(api, actionRecord, { filter, sort: 'createdAt', limit: max })
        : null;
    return { whole, deliveries, watches: ['message', 'action-record'] };
  });
}

export default function MessageOverview() {
  const { whole, deliveries } = useLoaderData<typeof loader>();
  const message = useRouteLoaderData('message') as ItemData | undefined;
  const { t } = useTranslation();
  if (!message) return null;
  const noDeliveries = <Placeholder title={t('page.no-message-deliveries')} />;
  if (whole) return <WholeList data={whole} empty={noDeliveries} />;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <div className="grid gap-5">
        <ItemInfo data={message} />
        {deliveries && (
          <Panel
            title={t('page.message-deliveries')}
            actions={<ShowAll data={deliveries} caption={t('page.message-deliveries')} />}
          >
            <MiniTable
              data={deliveries}
              caption={t('page.message-deliveries')}
              columns={['status', 'createdAt', 'actionId', 'scopeId']}
              hiddenOnMobile={['scopeId']}
              empty={noDeliveries}
            />
          </Panel>
        )}
      </div>
      <Panel title={t('page.content')} padded>
        {message.item.receiveSlotKind === 'email' ? (
          <MailView
            messageId={String(message.item.messageId)}
            content={message.item.content as MailContent}
            metadata={message.item.metadata as MailMetadata}
          />
        ) : (
          <MessageView
            content={message.item.content as MessageContent | undefined}
            metadata={message.item.metadata as MessageMetadata | undefined}
          />
        )}
      </Panel>
    </div>
  );
}
