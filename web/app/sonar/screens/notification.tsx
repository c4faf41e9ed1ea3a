// A notification setting of a network: what it tells, an example to try it, and everything that it has sent.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/claims';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { notificationHistory, scanNotification } from '@yagura/core/sonar/scan-notification';
import { useEffect } from 'react';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item-screen.tsx';
import { listData } from '../../resource/list-data.server.ts';
import { ResourceTable } from '../../resource/list-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { useRefusalToast } from '../../resource/use-refusal-toast.ts';
import { refuse, removeAt } from '../../resource/write.server.ts';
import { nounText } from '../../shell/crumb.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/grant.server.ts';
import { refuseForeign } from '../../signin/same-origin.server.ts';
import { Button } from '../../ui/button.tsx';
import { Placeholder } from '../../ui/placeholder.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useTranslation } from '../../ui/words.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(args.request.url);
  const placed = matchResource(pathname);
  const { networkId, notificationSettingId } = args.params;
  return withApi(args, async (api) => {
    const [data, person, histories] = await Promise.all([
      itemData(api, placed),
      getCurrentUser(api),
      listData(api, {
        resource: notificationHistory,
        screen: pathname,
        pathParams: { networkId, notificationSettingId },
        params: searchParams,
      }),
    ]);
    return {
      ...data,
      histories,
      mayNotify: can(person.grant, permissionFor(scanNotification, 'notify-example')),
    };
  });
}

/** Deletes the setting, or sends an example to its target. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData();
  if (form.get('intent') !== 'example') return removeAt(args);
  refuseForeign(args.request, args.context);
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
      return refuse(error, {});
    }
  });
}

export default function Notification() {
  const data = useLoaderData<typeof loader>();
  const { t, language } = useTranslation();
  const name = nounText(data.histories.meta.noun, language, 'many');
  return (
    <>
      <ItemHeader data={data} actions={data.mayNotify && <ExampleButton />} />
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

function ExampleButton() {
  const { t } = useTranslation();
  const toast = useToast();
  const fetcher = useFetcher<typeof action>();
  useRefusalToast(fetcher.data);
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
