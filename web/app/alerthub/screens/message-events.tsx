// The events that a message raised.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { event } from '@yagura/core/alerthub/event';
import { message } from '@yagura/core/alerthub/message';
import { miniData } from '../../resource/mini-data.server.ts';
import { MiniTable } from '../../resource/mini-table.tsx';
import { Panel } from '../../shell/panel.tsx';
import { screen } from '../../signin/api.server.ts';
import { Placeholder } from '../../ui/placeholder.tsx';
import { useWords } from '../../ui/words.tsx';

const most = 1000;

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params.messageId!;
  return screen(args, async (api) => ({
    events: await miniData(api, event, {}, {}, () =>
      api.client(message).call('events', { id, query: { limit: most } }),
    ),
    watches: ['event'],
  }));
}

export default function MessageEvents() {
  const { events } = useLoaderData<typeof loader>();
  const { t } = useWords();
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
