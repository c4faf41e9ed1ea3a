// The imports of one kind, and the form that takes the next file.
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { historyCommand, importCommand } from '@yagura/core/alerthub/bulk/bulk-command';
import type { BulkImport } from '@yagura/core/alerthub/bulk/bulk-job';
import type { BulkKindName } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { callFixed } from '@yagura/core/http/fixed-calls';
import { quoteWords } from '@yagura/core/resource/command-line';
import { useRef } from 'react';
import { asRefusal, useRefusalToast } from '../../resource/use-refusal-toast.ts';
import { refuse } from '../../resource/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { refuseForeign } from '../../signin/same-origin.server.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { controlClass, controlProps, FieldFrame } from '../../ui/field-frame.tsx';
import { Placeholder } from '../../ui/placeholder.tsx';
import { useTranslation } from '../../ui/words.tsx';
import { importColumnNames, jobColumns } from '../bulk/job-columns.ts';
import { bulkCrumbs, bulkMay, bulkTable, kindOf } from '../bulk/tools.server.ts';
import { upload } from '../bulk/upload.server.ts';
import { usePoll } from '../bulk/use-poll.ts';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const kind = kindOf(args.params);
    const may = await bulkMay(api);
    const { state, query } = bulkTable(args.request, importColumnNames);
    const page = await callFixed(api.transport, 'bulk-imports', { params: { kind }, query });
    return { kind, may, state, page, crumbs: bulkCrumbs(kind, 'imports') };
  });
}

export async function action(args: ActionFunctionArgs) {
  refuseForeign(args.request, args.context);
  return withApi(args, async (api) => {
    const kind = kindOf(args.params);
    try {
      const { importId } = await upload(api, kind, args.request);
      return redirect(`/apps/alerthub/tools/${kind}/imports/${importId}`);
    } catch (error) {
      return refuse(error, {});
    }
  });
}

export default function BulkImports() {
  const { kind, may, state, page } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  usePoll(page.items.some(({ status }) => status === 'processing'));
  return (
    <div className="grid grid-cols-1 gap-4">
      {may.upload && <UploadForm key={kind} kind={kind} />}
      <div className="flex items-center justify-between gap-4">
        <h2 className="text-lg font-semibold">{t('bulk.imports')}</h2>
        <CommandLine line={quoteWords(historyCommand('imports', kind, state))} />
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
  useRefusalToast(fetcher.data);
  const busy = fetcher.state !== 'idle';
  const frame = {
    name: 'file',
    label: t('bulk.file'),
    required: true,
    hint: t('bulk.file-hint'),
    error: asRefusal(fetcher.data)?.errors.file,
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
        <CommandLine
          line={() => quoteWords(importCommand(kind, file.current?.files?.[0]?.name ?? `${kind}.csv`))}
        />
      </div>
    </fetcher.Form>
  );
}
