// Import history of one kind, with the upload form.
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { historyCommand, importCommand } from '@yagura/core/alerthub/bulk/bulk-command';
import type { BulkImport } from '@yagura/core/alerthub/bulk/bulk-job';
import type { BulkKindName } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { quoteShellWords } from '@yagura/core/resource/command-line';
import { callStandalone } from '@yagura/core/standalone-calls';
import { useRef } from 'react';
import { toActionProblem, useProblemToast } from '../../../resource/write/use-problem-toast.ts';
import { toProblemResponse } from '../../../resource/write/write.server.ts';
import { usePoll } from '../../../shell/live/use-poll.ts';
import { withApi } from '../../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../../signin/same-origin.server.ts';
import { Button } from '../../../ui/button.tsx';
import { controlClass, controlProps, FieldFrame } from '../../../ui/field/field-frame.tsx';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { CliCommand } from '../../../ui/text/cli-command.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { importColumnNames, jobColumns } from '../../bulk/job-columns.ts';
import { bulkCrumbs, bulkKindOf, bulkPermissions, bulkTable } from '../../bulk/tools.server.ts';
import { forwardUpload } from '../../bulk/upload.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const kind = bulkKindOf(args.params);
    const permissions = await bulkPermissions(api);
    const { state, query } = bulkTable(args.request, importColumnNames);
    const page = await callStandalone(api.transport, 'bulk-imports', { params: { kind }, query });
    return { kind, permissions, state, page, crumbs: bulkCrumbs(kind, 'imports') };
  });
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  return withApi(args, async (api) => {
    const kind = bulkKindOf(args.params);
    try {
      const { importId } = await forwardUpload(api, kind, args.request);
      return redirect(`/apps/alerthub/tools/${kind}/imports/${importId}`);
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export default function BulkImports() {
  const { kind, permissions, state, page } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  usePoll(page.items.some(({ status }) => status === 'processing'));
  return (
    <div className="grid grid-cols-1 gap-4">
      {permissions.upload && <UploadForm key={kind} kind={kind} />}
      <div className="flex items-center justify-between gap-4">
        <h2 className="text-lg font-semibold">{t('bulk.imports')}</h2>
        <CliCommand command={quoteShellWords(historyCommand('imports', kind, state))} />
      </div>
      <DataTable<BulkImport>
        id="bulk-imports"
        columns={jobColumns('imports', importColumnNames, t)}
        rows={page.items}
        rowKey={(row) => row.importId}
        rowHref={(row) => `/apps/alerthub/tools/${kind}/imports/${row.importId}`}
        rowTitle="fileName"
        total={page.total}
        state={state}
        caption={t('bulk.imports')}
        empty={<Placeholder kind="empty" title={t('bulk.no-imports')} />}
      />
    </div>
  );
}

function UploadForm({ kind }: { kind: BulkKindName }) {
  const { t } = useTranslation();
  const file = useRef<HTMLInputElement>(null);
  const fetcher = useFetcher();
  useProblemToast(fetcher.data);
  const busy = fetcher.state !== 'idle';
  const frame = {
    name: 'file',
    label: t('bulk.file'),
    required: true,
    hint: t('bulk.file-hint'),
    error: toActionProblem(fetcher.data)?.errors.file,
  };
  return (
    <fetcher.Form
      method="post"
      encType="multipart/form-data"
      className="grid max-w-3xl gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <FieldFrame {...frame}>
        <input
          {...controlProps(frame)}
          ref={file}
          type="file"
          accept=".csv,text/csv"
          required
          className={`${controlClass} py-1.5`}
        />
      </FieldFrame>
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" busy={busy}>
          {busy ? t('bulk.uploading') : t('bulk.upload')}
        </Button>
        {busy && <progress aria-label={t('bulk.uploading')} className="h-1.5 w-40" />}
        <span className="flex-1" />
        <CliCommand
          command={() =>
            quoteShellWords(importCommand(kind, file.current?.files?.[0]?.name ?? `${kind}.csv`))
          }
        />
      </div>
    </fetcher.Form>
  );
}
