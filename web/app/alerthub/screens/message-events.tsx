// The events that a message raised.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { event } from '@yagura/core/alerthub/event';
import { message } from '@yagura/core/alerthub/message';
import { miniData } from '../../resource/mini-data.server.ts';
import { MiniTable } from '../../resource/mini-table.tsx';
import { Panel } from '../../shell/panel.tsx';
import { withApi } from '../../signin/api.server.ts';
import { Placeholder } from '../../ui/placeholder.tsx';
import { useTranslation } from '../../ui/words.tsx';

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
        wide={['severityName', 'previousSeverity', 'ruleId']}
        empty={<Placeholder title={t('page.no-message-events')} />}
      />
    </Panel>
  );
}
