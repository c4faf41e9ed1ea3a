// Detail page of an export: progress and file.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { jobCommand } from '@yagura/core/alerthub/bulk/bulk-command';
import { bulkExport } from '@yagura/core/alerthub/bulk/bulk-job';
import { quoteShellWords } from '@yagura/core/resource/command-line';
import { fieldMeta } from '@yagura/core/resource/field';
import { callStandalone } from '@yagura/core/standalone-calls';
import { usePoll } from '../../../shell/live/use-poll.ts';
import { withApi } from '../../../signin/api.server.ts';
import { Panel } from '../../../ui/page/panel.tsx';
import { ResourceHeader } from '../../../ui/page/resource-header.tsx';
import { InfoTable } from '../../../ui/table/info-table.tsx';
import { CliCommand } from '../../../ui/text/cli-command.tsx';
import { FieldValue } from '../../../ui/text/field-value.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { DownloadLink } from '../../bulk/download-link.tsx';
import { jobColumns } from '../../bulk/job-columns.ts';
import { bulkCrumbs, bulkKindOf, bulkPermissions } from '../../bulk/tools.server.ts';

const infoFields = ['requestedBy', 'requestedAt', 'endedAt', 'rows', 'size'];

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const kind = bulkKindOf(args.params);
    const permissions = await bulkPermissions(api);
    const params = { kind, exportId: args.params.exportId! };
    const job = await callStandalone(api.transport, 'bulk-export', { params });
    return { kind, permissions, job, crumbs: bulkCrumbs(kind, 'exports', job.fileName) };
  });
}

export default function BulkExportScreen() {
  const { kind, permissions, job } = useLoaderData<typeof loader>();
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
            {permissions.download && job.status === 'succeeded' && (
              <DownloadLink kind={kind} exportId={job.exportId} />
            )}
            <CliCommand command={quoteShellWords(jobCommand('exports', kind, job.exportId))} />
          </>
        }
      />
      {job.status === 'processing' && <p role="status">{t('bulk.processing-text')}</p>}
      <Panel title={t(`bulk.kind.${kind}`)} padded>
        <InfoTable
          rows={jobColumns('exports', infoFields, t).map(({ name, label, meta }) => ({
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
