// Detail page of an import: plan review, errors with their positions, and execution.

import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { jobCommand } from '@yagura/core/alerthub/bulk/bulk-command';
import { bulkImport } from '@yagura/core/alerthub/bulk/bulk-job';
import type { Transport } from '@yagura/core/http/transport';
import { dataKey } from '@yagura/core/i18n/message-key';
import { quoteShellWords } from '@yagura/core/resource/command-line';
import { fieldMeta } from '@yagura/core/resource/field';
import { callStandalone } from '@yagura/core/standalone-calls';
import { useState } from 'react';
import { useProblemToast } from '../../../resource/write/use-problem-toast.ts';
import { toProblemResponse } from '../../../resource/write/write.server.ts';
import { usePoll } from '../../../shell/live/use-poll.ts';
import { withApi } from '../../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../../signin/same-origin.server.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/overlay/dialog.tsx';
import { ResourceHeader } from '../../../ui/page/resource-header.tsx';
import { InfoTable } from '../../../ui/table/info-table.tsx';
import { CliCommand } from '../../../ui/text/cli-command.tsx';
import { FieldValue } from '../../../ui/text/field-value.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { jobColumns } from '../../bulk/job-columns.ts';
import { PlanTable } from '../../bulk/plan-table.tsx';
import { planColumnNames, planView } from '../../bulk/plan-view.ts';
import { bulkCrumbs, bulkKindOf, bulkPermissions, bulkTable } from '../../bulk/tools.server.ts';
import { uploadTimeoutMs } from '../../bulk/upload.server.ts';

const infoFields = ['requestedBy', 'requestedAt', 'startedAt', 'endedAt', 'size'];

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const kind = bulkKindOf(args.params);
    const permissions = await bulkPermissions(api);
    const params = { kind, importId: args.params.importId! };
    const { errors: _first, ...job } = await callStandalone(api.transport, 'bulk-import', { params });
    const view = planView(new URL(args.request.url).searchParams.get('show'), job.errorCount);
    const { state, query } = bulkTable(args.request, planColumnNames(view));
    const [errors, rows] = await Promise.all([
      view === 'errors' ? callStandalone(api.transport, 'bulk-import-errors', { params, query }) : null,
      view === 'errors'
        ? null
        : callStandalone(api.transport, 'bulk-import-rows', {
            params,
            query: { ...query, operation: view === 'all' ? undefined : view },
          }),
    ]);
    return {
      kind,
      permissions,
      job,
      view,
      state,
      errors,
      rows,
      crumbs: bulkCrumbs(kind, 'imports', job.fileName),
    };
  });
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  return withApi(args, async (api) => {
    try {
      const params = { kind: bulkKindOf(args.params), importId: args.params.importId! };
      const transport: Transport = { ...api.transport, timeoutMs: uploadTimeoutMs };
      await callStandalone(transport, 'bulk-import-exec', { params, body: {} });
      return { done: true };
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export default function BulkImportScreen() {
  const data = useLoaderData<typeof loader>();
  const { kind, permissions, job } = data;
  const { t } = useTranslation();
  const fetcher = useFetcher();
  useProblemToast(fetcher.data);
  const busy = fetcher.state !== 'idle';
  usePoll(busy || job.status === 'processing');
  return (
    <div key={job.importId} className="grid grid-cols-1 gap-4">
      <ResourceHeader
        title={job.fileName}
        kind={`${t('bulk.import')} · ${t(`bulk.kind.${kind}`)}`}
        id={job.importId}
        backHref={`/apps/alerthub/tools/${kind}/histories/imports`}
        badge={<FieldValue meta={fieldMeta(bulkImport.shape.status)} name="status" value={job.status} />}
        actions={
          <>
            {permissions.execute && job.status === 'planned' && (
              <ExecuteButton
                counts={job}
                busy={busy}
                onConfirm={() => fetcher.submit({}, { method: 'post' })}
              />
            )}
            <CliCommand command={quoteShellWords(jobCommand('imports', kind, job.importId))} />
          </>
        }
      />
      <ImportStatus status={job.status} reason={job.reason} mayExecute={permissions.execute} />
      <InfoTable
        rows={jobColumns('imports', infoFields, t).map(({ name, label, meta }) => ({
          name,
          label,
          meta,
          value: job[name as keyof typeof job],
        }))}
      />
      <PlanTable
        kind={kind}
        job={job}
        view={data.view}
        state={data.state}
        errors={data.errors}
        rows={data.rows}
      />
    </div>
  );
}

/** Explains the job's status to the user. */
function ImportStatus(props: { status: string; reason: string | null; mayExecute: boolean }) {
  const { t } = useTranslation();
  const { status, reason } = props;
  if (status === 'failed') {
    return (
      <p role="alert" className="rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg">
        {reason}
      </p>
    );
  }
  const text =
    status === 'planned' && !props.mayExecute ? t('bulk.planned-only') : t(dataKey(`bulk.${status}-text`));
  return (
    <p role="status" className="rounded-md bg-info-bg px-3 py-2 text-sm text-info-fg">
      {text}
    </p>
  );
}

interface Counts {
  creates: number;
  updates: number;
  deletes: number;
}

function ExecuteButton({
  counts,
  busy,
  onConfirm,
}: {
  counts: Counts;
  busy: boolean;
  onConfirm: () => void;
}) {
  const { t } = useTranslation();
  const [isConfirming, setIsConfirming] = useState(false);
  const { creates, updates, deletes } = counts;
  return (
    <>
      <Button variant="primary" busy={busy} onClick={() => setIsConfirming(true)}>
        {busy ? t('bulk.executing') : t('bulk.execute')}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        title={t('bulk.execute-title')}
        text={t('bulk.execute-text', { creates, updates, deletes })}
        confirmLabel={t('bulk.execute')}
        danger={deletes > 0}
        onConfirm={() => {
          setIsConfirming(false);
          onConfirm();
        }}
        onCancel={() => setIsConfirming(false)}
      />
    </>
  );
}
