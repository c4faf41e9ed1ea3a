// One import: its plan for review, its errors with their places, and its execution.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { jobCommand } from '@yagura/core/alerthub/bulk/bulk-command';
import { bulkImport } from '@yagura/core/alerthub/bulk/bulk-job';
import { callFixed } from '@yagura/core/http/fixed-calls';
import { quoteWords } from '@yagura/core/resource/command-line';
import { fieldMeta } from '@yagura/core/resource/field';
import { useState } from 'react';
import { useRefusalToast } from '../../resource/use-refusal-toast.ts';
import { refuse } from '../../resource/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { refuseForeign } from '../../signin/same-origin.server.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { FieldValue } from '../../ui/field-value.tsx';
import { InfoTable } from '../../ui/info-table.tsx';
import { ResourceHeader } from '../../ui/resource-header.tsx';
import { useTranslation } from '../../ui/words.tsx';
import { jobColumns } from '../bulk/job-columns.ts';
import { PlanTable } from '../bulk/plan-table.tsx';
import { planColumnNames, planView } from '../bulk/plan-view.ts';
import { bulkCrumbs, bulkMay, bulkTable, kindOf } from '../bulk/tools.server.ts';
import { uploadTimeoutMs } from '../bulk/upload.server.ts';
import { usePoll } from '../bulk/use-poll.ts';

const names = ['requestedBy', 'requestedAt', 'startedAt', 'endedAt', 'size'];

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const kind = kindOf(args.params);
    const may = await bulkMay(api);
    const params = { kind, importId: args.params.importId! };
    const { errors: _first, ...job } = await callFixed(api.transport, 'bulk-import', { params });
    const view = planView(new URL(args.request.url).searchParams.get('show'), job.errorCount);
    const { state, query } = bulkTable(args.request, planColumnNames(view));
    const [errors, rows] = await Promise.all([
      view === 'errors' ? callFixed(api.transport, 'bulk-import-errors', { params, query }) : null,
      view === 'errors'
        ? null
        : callFixed(api.transport, 'bulk-import-rows', {
            params,
            query: { ...query, operation: view === 'all' ? undefined : view },
          }),
    ]);
    return { kind, may, job, view, state, errors, rows, crumbs: bulkCrumbs(kind, 'imports', job.fileName) };
  });
}

export async function action(args: ActionFunctionArgs) {
  refuseForeign(args.request, args.context);
  return withApi(args, async (api) => {
    try {
      const params = { kind: kindOf(args.params), importId: args.params.importId! };
      const transport = { ...api.transport, timeout: uploadTimeoutMs };
      await callFixed(transport, 'bulk-import-exec', { params, body: {} });
      return { done: true };
    } catch (error) {
      return refuse(error, {});
    }
  });
}

export default function BulkImportScreen() {
  const data = useLoaderData<typeof loader>();
  const { kind, may, job } = data;
  const { t } = useTranslation();
  const fetcher = useFetcher();
  useRefusalToast(fetcher.data);
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
            {may.execute && job.status === 'planned' && (
              <Execute counts={job} busy={busy} onConfirm={() => fetcher.submit({}, { method: 'post' })} />
            )}
            <CommandLine line={quoteWords(jobCommand('imports', kind, job.importId))} />
          </>
        }
      />
      <Standing status={job.status} reason={job.reason} mayExecute={may.execute} />
      <InfoTable
        rows={jobColumns('imports', names, t).map(({ name, label, meta }) => ({
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

/** What the state means for the reader. */
function Standing(props: { status: string; reason: string | null; mayExecute: boolean }) {
  const { t } = useTranslation();
  const { status, reason } = props;
  if (status === 'failed') {
    return (
      <p role="alert" className="rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg">
        {reason}
      </p>
    );
  }
  const text = status === 'planned' && !props.mayExecute ? 'planned-only' : `${status}-text`;
  return (
    <p role="status" className="rounded-md bg-info-bg px-3 py-2 text-sm text-info-fg">
      {t(`bulk.${text}`)}
    </p>
  );
}

interface Counts {
  creates: number;
  updates: number;
  deletes: number;
}

function Execute({ counts, busy, onConfirm }: { counts: Counts; busy: boolean; onConfirm: () => void }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const { creates, updates, deletes } = counts;
  return (
    <>
      <Button variant="primary" busy={busy} onClick={() => setAsking(true)}>
        {busy ? t('bulk.executing') : t('bulk.execute')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('bulk.execute-title')}
        text={t('bulk.execute-text', { creates, updates, deletes })}
        confirmLabel={t('bulk.execute')}
        danger={deletes > 0}
        onConfirm={() => {
          setAsking(false);
          onConfirm();
        }}
        onCancel={() => setAsking(false)}
      />
    </>
  );
}
