// One export: how far it is, and its file.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { jobCommand } from '@yagura/core/alerthub/bulk/bulk-command';
import { bulkExport } from '@yagura/core/alerthub/bulk/bulk-job';
import { callFixed } from '@yagura/core/http/fixed-calls';
import { quoteWords } from '@yagura/core/resource/command-line';
import { fieldMeta } from '@yagura/core/resource/field';
import { Panel } from '../../shell/panel.tsx';
import { withApi } from '../../signin/api.server.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { FieldValue } from '../../ui/field-value.tsx';
import { InfoTable } from '../../ui/info-table.tsx';
import { ResourceHeader } from '../../ui/resource-header.tsx';
import { useTranslation } from '../../ui/words.tsx';
import { DownloadLink } from '../bulk/download-link.tsx';
import { jobColumns } from '../bulk/job-columns.ts';
import { bulkCrumbs, bulkMay, kindOf } from '../bulk/tools.server.ts';
import { usePoll } from '../bulk/use-poll.ts';

const names = ['requestedBy', 'requestedAt', 'endedAt', 'rows', 'size'];

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const kind = kindOf(args.params);
    const may = await bulkMay(api);
    const params = { kind, exportId: args.params.exportId! };
    const job = await callFixed(api.transport, 'bulk-export', { params });
    return { kind, may, job, crumbs: bulkCrumbs(kind, 'exports', job.fileName) };
  });
}

export default function BulkExportScreen() {
  const { kind, may, job } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  usePoll(job.status === 'processing');
  return (
    <>
      <ResourceHeader
        title={job.fileName}
        kind={t('bulk.export')}
        id={job.exportId}
        backHref={`/apps/alerthub/tools/${kind}/histories/exports`}
        badge={<FieldValue meta={fieldMeta(bulkExport.shape.status)} name="status" value={job.status} />}
        actions={
          <>
            {may.download && job.status === 'succeeded' && (
              <DownloadLink kind={kind} exportId={job.exportId} />
            )}
            <CommandLine line={quoteWords(jobCommand('exports', kind, job.exportId))} />
          </>
        }
      />
      {job.status === 'processing' && <p role="status">{t('bulk.processing-text')}</p>}
      <Panel title={t(`bulk.kind.${kind}`)} padded>
        <InfoTable
          rows={jobColumns('exports', names, t).map(({ name, label, meta }) => ({
            name,
            label,
            meta,
            value: job[name as keyof typeof job],
          }))}
        />
      </Panel>
    </>
  );
}
