// List of the events that a message raised.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { event } from '@yagura/core/alerthub/event';
import { message } from '@yagura/core/alerthub/message';
import { miniData } from '../../../resource/list/mini-data.server.ts';
import { MiniTable } from '../../../resource/list/mini-table.tsx';
import { withApi } from '../../../signin/api.server.ts';
import { Panel } from '../../../ui/page/panel.tsx';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { useTranslation } from '../../../ui/translation.tsx';

const max = 1000;

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params.messageId!;
  return withApi(args, async (api) => ({
    events: await miniData(api, event, {}, {}, () =>
      api.client(message).call('events', { id, query: { limit: max } }),
    ),
    watches: ['event'],
  }));
}

export default function MessageEvents() {
  const { events } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <Panel title={t('page.events')}>
      <MiniTable
        data={events}
        caption={t('page.events')}
        columns={[
          'status',
          'createdAt',
          'scopeId',
          'severityName',
          'delta',
          'previousSeverity',
          'severity',
          'ruleId',
        ]}
        hiddenOnMobile={['severityName', 'previousSeverity', 'ruleId']}
        empty={<Placeholder title={t('page.no-message-events')} />}
      />
    </Panel>
  );
}
