// The records of a runbook, or of a message.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { runbookRecord } from '@yagura/core/alerthub/runbook-record';
import { miniData } from '../../resource/mini-data.server.ts';
import { MiniTable } from '../../resource/mini-table.tsx';
import { Panel } from '../../shell/panel.tsx';
import { screen } from '../../signin/api.server.ts';
import { Placeholder } from '../../ui/placeholder.tsx';
import { useWords } from '../../ui/words.tsx';

const most = 200;

export async function loader(args: LoaderFunctionArgs) {
  const { runbookId, messageId } = args.params;
  const [name, id] = runbookId === undefined ? ['sourceMessageId', messageId] : ['runbookId', runbookId];
  return screen(args, async (api) => {
    const filter = `${name} eq ${JSON.stringify(id)}`;
    const records = await miniData(api, runbookRecord, { filter, limit: most });
    const hrefs = Object.fromEntries(
      records.rows.map((row) => [
        row.runbookRecordId,
        `/apps/alerthub/runbooks/${row.runbookId}/runbook-records/${row.runbookRecordId}`,
      ]),
    );
    return { records: { ...records, hrefs }, watches: ['runbook-record'] };
  });
}

export default function RunbookRecords() {
  const { records } = useLoaderData<typeof loader>();
  const { t } = useWords();
  return (
    <Panel title={t('runbook.records')}>
      <MiniTable
        data={records}
        caption={t('runbook.records')}
        columns={['status', 'requestedAt', 'runbookId', 'origin', 'sourceScopeId', 'endedAt']}
        wide={['origin', 'sourceScopeId']}
        empty={<Placeholder title={t('runbook.no-records')} />}
      />
    </Panel>
  );
}
