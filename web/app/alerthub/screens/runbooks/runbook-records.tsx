// List of the records of a runbook or of a message.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { runbookRecord } from '@yagura/core/alerthub/runbook-record';
import { miniData } from '../../../resource/list/mini-data.server.ts';
import { MiniTable } from '../../../resource/list/mini-table.tsx';
import { withApi } from '../../../signin/api.server.ts';
import { Panel } from '../../../ui/page/panel.tsx';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { useTranslation } from '../../../ui/translation.tsx';

const max = 200;

export async function loader(args: LoaderFunctionArgs) {
  const { runbookId, messageId } = args.params;
  const [name, id] = runbookId === undefined ? ['sourceMessageId', messageId] : ['runbookId', runbookId];
  return withApi(args, async (api) => {
    const filter = `${name} eq ${JSON.stringify(id)}`;
    const records = await miniData(api, runbookRecord, { filter, limit: max });
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
  const { t } = useTranslation();
  return (
    <Panel title={t('runbook.records')}>
      <MiniTable
        data={records}
        caption={t('runbook.records')}
        columns={['status', 'requestedAt', 'runbookId', 'origin', 'sourceScopeId', 'endedAt']}
        hiddenOnMobile={['origin', 'sourceScopeId']}
        empty={<Placeholder title={t('runbook.no-records')} />}
      />
    </Panel>
  );
}
