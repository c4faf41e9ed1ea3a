// Export history of one kind, with a button for a new export.
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { exportCommand, historyCommand } from '@yagura/core/alerthub/bulk/bulk-command';
import type { BulkExport } from '@yagura/core/alerthub/bulk/bulk-job';
import { quoteShellWords } from '@yagura/core/resource/command-line';
import { callStandalone } from '@yagura/core/standalone-calls';
import { useRef } from 'react';
import { useProblemToast } from '../../../resource/write/use-problem-toast.ts';
import { toProblemResponse } from '../../../resource/write/write.server.ts';
import { usePoll } from '../../../shell/live/use-poll.ts';
import { withApi } from '../../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../../signin/same-origin.server.ts';
import { Button } from '../../../ui/button.tsx';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { TableColumn } from '../../../ui/table/table-props.ts';
import { CliCommand } from '../../../ui/text/cli-command.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { DownloadLink } from '../../bulk/download-link.tsx';
import { exportColumnNames, jobColumns } from '../../bulk/job-columns.ts';
import { bulkCrumbs, bulkKindOf, bulkPermissions, bulkTable } from '../../bulk/tools.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const kind = bulkKindOf(args.params);
    const permissions = await bulkPermissions(api);
    const { state, query } = bulkTable(args.request, exportColumnNames);
    const page = await callStandalone(api.transport, 'bulk-exports', { params: { kind }, query });
    return { kind, permissions, state, page, crumbs: bulkCrumbs(kind, 'exports') };
  });
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const form = await args.request.formData();
  const options = { bom: form.get('bom') === 'true', raw: form.get('raw') === 'true' };
  return withApi(args, async (api) => {
    const kind = bulkKindOf(args.params);
    try {
      const params = { kind };
      const { exportId } = await callStandalone(api.transport, 'bulk-export-create', {
        params,
        body: options,
      });
      return redirect(`/apps/alerthub/tools/${kind}/exports/${exportId}`);
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export default function BulkExports() {
  const { kind, permissions, state, page } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const fetcher = useFetcher();
  const bom = useRef<HTMLInputElement>(null);
  const raw = useRef<HTMLInputElement>(null);
  useProblemToast(fetcher.data);
  usePoll(page.items.some(({ status }) => status === 'processing'));
  const busy = fetcher.state !== 'idle';
  const download: TableColumn<BulkExport> = {
    name: 'download',
    label: t('bulk.download'),
    meta: { kind: 'text', required: false, nullable: true },
    sortable: false,
    isFixed: true,
    render: (row) =>
      row.status === 'succeeded' ? <DownloadLink kind={kind} exportId={row.exportId} /> : null,
  };
  return (
    <div className="grid grid-cols-1 gap-4">
      {permissions.export && (
        <fetcher.Form method="post" className="flex flex-wrap items-center gap-4 text-sm">
          <Button type="submit" variant="primary" busy={busy}>
            {busy ? t('bulk.requesting-export') : t('bulk.request-export')}
          </Button>
          <label className="flex min-h-6 items-center gap-2">
            <input ref={bom} type="checkbox" name="bom" value="true" className="size-4" />
            {t('bulk.bom')}
          </label>
          <label className="flex min-h-6 items-center gap-2">
            <input ref={raw} type="checkbox" name="raw" value="true" className="size-4" />
            {t('bulk.raw')}
          </label>
          <span className="flex-1" />
          <CliCommand
            command={() =>
              quoteShellWords(
                exportCommand(kind, {
                  bom: bom.current?.checked ?? false,
                  raw: raw.current?.checked ?? false,
                }),
              )
            }
          />
        </fetcher.Form>
      )}
      <div className="flex items-center justify-between gap-4">
        <h2 className="text-lg font-semibold">{t('bulk.exports')}</h2>
        <CliCommand command={quoteShellWords(historyCommand('exports', kind, state))} />
      </div>
      <DataTable<BulkExport>
        id="bulk-exports"
        columns={[
          ...jobColumns<BulkExport>('exports', exportColumnNames, t),
          ...(permissions.download ? [download] : []),
        ]}
        rows={page.items}
        rowKey={(row) => row.exportId}
        rowHref={(row) => `/apps/alerthub/tools/${kind}/exports/${row.exportId}`}
        rowTitle="fileName"
        total={page.total}
        state={state}
        caption={t('bulk.exports')}
        empty={<Placeholder kind="empty" title={t('bulk.no-exports')} />}
      />
    </div>
  );
}
