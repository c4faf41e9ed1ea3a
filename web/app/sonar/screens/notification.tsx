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
import { resourceAt } from '../../resource/place.server.ts';
import { useRefusalToast } from '../../resource/use-refusal-toast.ts';
import { refuse, removeAt } from '../../resource/write.server.ts';
import { nounText } from '../../shell/crumb.ts';
import { screen } from '../../signin/api.server.ts';
import { personOf } from '../../signin/grant.server.ts';
import { refuseForeign } from '../../signin/same-origin.server.ts';
import { Button } from '../../ui/button.tsx';
import { Placeholder } from '../../ui/placeholder.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useWords } from '../../ui/words.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(args.request.url);
  const placed = resourceAt(pathname);
  const { networkId, notificationSettingId } = args.params;
  return screen(args, async (api) => {
    const [data, person, histories] = await Promise.all([
      itemData(api, placed),
      personOf(api),
      listData(api, {
        resource: notificationHistory,
        screen: pathname,
        place: { networkId, notificationSettingId },
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
  return screen(args, async (api) => {
    const client = api.client(scanNotification);
    try {
      const { kind, emails, webhook } = await client.show(notificationSettingId, { networkId });
      const sent = await client.call<{ result: string; reason: string | null }>('notify-example', {
        place: { networkId },
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
  const { t, language } = useWords();
  const name = nounText(data.histories.face.noun, language, 'many');
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
  const { t } = useWords();
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
