// List of the events that a message raised.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { event } from '@yagura/core/alerthub/event';
import { message } from '@yagura/core/alerthub/message';
import type { Page } from '@yagura/core/http/page';
import { listData, type Row } from '../../../resource/list/list-data.server.ts';
import { ResourceTable } from '../../../resource/list/list-screen.tsx';
import { withApi } from '../../../signin/api.server.ts';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { useTranslation } from '../../../ui/translation.tsx';

/** Unlike the events of a scope, those of a message name their scopes. */
const columns = [
  'createdAt',
  'status',
  'scopeId',
  'severityName',
  'delta',
  'severity',
  'previousSeverity',
  'ruleId',
];

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params.messageId!;
  return withApi(args, async (api) => {
    const list = await listData(api, {
      resource: { ...event, columns },
      screen: event.screen!,
      searchParams: new URL(args.request.url).searchParams,
      fetch: (query) => api.client(message).call<Page<Row>>('events', { id, query: { ...query } }),
    });
    // Its columns are chosen apart from those of a scope's events.
    return { ...list, meta: { ...list.meta, name: 'message-event' } };
  });
}

export default function MessageEvents() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <ResourceTable
      data={data}
      caption={t('page.events')}
      empty={<Placeholder title={t('page.no-message-events')} />}
    />
  );
}
