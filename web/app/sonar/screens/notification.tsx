// Detail page of a network's notification setting: its content, an example to try it, and the notifications
// sent.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { notificationHistory, scanNotification } from '@yagura/core/sonar/scan-notification';
import { useEffect } from 'react';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item/item-screen.tsx';
import { listData } from '../../resource/list/list-data.server.ts';
import { ResourceTable } from '../../resource/list/list-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { removeItemAction, toProblemResponse } from '../../resource/write/write.server.ts';
import { formatNoun } from '../../shell/navigation/crumb.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/overlay/toast.tsx';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { useTranslation } from '../../ui/translation.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(args.request.url);
  const match = matchResource(pathname);
  const { networkId, notificationSettingId } = args.params;
  return withApi(args, async (api) => {
    const [data, user, histories] = await Promise.all([
      itemData(api, match),
      getCurrentUser(api),
      listData(api, {
        resource: notificationHistory,
        screen: pathname,
        params: { networkId, notificationSettingId },
        searchParams,
      }),
    ]);
    return {
      ...data,
      histories,
      mayNotify: can(user.permissions, permissionFor(scanNotification, 'notify-example')),
    };
  });
}

/** Deletes the setting, or sends an example to its target. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData();
  if (form.get('intent') !== 'example') return removeItemAction(args);
  rejectCrossSiteRequest(args.request, args.context);
  const { networkId, notificationSettingId } = args.params;
  return withApi(args, async (api) => {
    const client = api.client(scanNotification);
    try {
      const { kind, emails, webhook } = await client.show(notificationSettingId, { networkId });
      const sent = await client.call<{ result: string; reason: string | null }>('notify-example', {
        params: { networkId },
        body: { kind, emails, webhook },
      });
      return { sent };
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export default function Notification() {
  const data = useLoaderData<typeof loader>();
  const { t, language } = useTranslation();
  const name = formatNoun(data.histories.meta.noun, language, 'many');
  return (
    <>
      <ItemHeader data={data} actions={data.mayNotify && <SendExampleButton />} />
      <ItemInfo data={data} />
      <section aria-label={name} className="mt-6">
        <h2 className="mb-3 text-lg font-semibold">{name}</h2>
        <ResourceTable
          data={data.histories}
          caption={name}
          empty={<Placeholder kind="empty" title={t('sonar.notice.none')} />}
        />
      </section>
    </>
  );
}

function SendExampleButton() {
  const { t } = useTranslation();
  const toast = useToast();
  const fetcher = useFetcher<typeof action>();
  useProblemToast(fetcher.data);
  const { data } = fetcher;
  useEffect(() => {
    if (!data || !('sent' in data)) return;
    const { result, reason } = data.sent;
    if (result === 'succeeded') toast.success(t('sonar.notice.sent'));
    else toast.error(t('sonar.notice.not-sent', { reason: reason ?? '-' }));
  }, [data, toast, t]);
  return (
    <Button
      size="small"
      busy={fetcher.state !== 'idle'}
      onClick={() => fetcher.submit({ intent: 'example' }, { method: 'post' })}
    >
      {t('sonar.notice.try')}
    </Button>
  );
}
