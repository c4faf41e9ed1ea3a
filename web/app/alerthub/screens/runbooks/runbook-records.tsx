// List of the records of a runbook or of a message.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { runbookRecord } from '@yagura/core/alerthub/runbook-record';
import { listData } from '../../../resource/list/list-data.server.ts';
import { ResourceTable } from '../../../resource/list/list-screen.tsx';
import { withApi } from '../../../signin/api.server.ts';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { useTranslation } from '../../../ui/translation.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { runbookId, messageId } = args.params;
  const [name, id] = runbookId === undefined ? ['sourceMessageId', messageId] : ['runbookId', runbookId];
  const { pathname, searchParams } = new URL(args.request.url);
  return withApi(args, async (api) => {
    const list = await listData(api, {
      resource: runbookRecord,
      screen: pathname,
      searchParams,
      fixedQuery: { filter: `${name} eq ${JSON.stringify(id)}` },
    });
    const hrefs = Object.fromEntries(
      list.rows.map((row) => [
        row.runbookRecordId,
        `/apps/alerthub/runbooks/${row.runbookId}/runbook-records/${row.runbookRecordId}`,
      ]),
    );
    return { ...list, hrefs };
  });
}

export default function RunbookRecords() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <ResourceTable
      data={data}
      caption={t('runbook.records')}
      empty={<Placeholder title={t('runbook.no-records')} />}
    />
  );
}
