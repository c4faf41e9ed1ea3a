// Audit log: list, filter for rejected actions, downloads of the current view, and verification of its hash
// chain.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData, useSearchParams } from '@remix-run/react';
import { auditRecord } from '@yagura/core/space/audit-record';
import { preferencesOf } from '../../preferences/preferences.server.ts';
import { buildCrumbs } from '../../resource/crumbs.server.ts';
import { listData } from '../../resource/list/list-data.server.ts';
import { ListScreen } from '../../resource/list/list-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { toActionProblem, useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { auditLabels } from '../audit-labels.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const url = new URL(args.request.url);
  const match = matchResource(url.pathname);
  return withApi(args, async (api) => {
    const [list, kept, crumbs, label] = await Promise.all([
      listData(api, { ...match, searchParams: url.searchParams }),
      api.client(auditRecord).call<{ days: number | null }>('retention'),
      buildCrumbs(api, match),
      auditLabels(preferencesOf(args.request).language),
    ]);
    return { ...list, rows: list.rows.map(label), keptDays: kept.days, crumbs };
  });
}

interface ChainVerification {
  intact: boolean;
  checked: number;
  firstBroken: number | null;
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  return withApi(args, async (api) => {
    try {
      return await api.client(auditRecord).call<ChainVerification>('verify', { body: {} });
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

const refusedFilter = 'outcome eq "refused"';

export default function AuditRecords() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const download = (format: string) => {
    const query = new URLSearchParams(params);
    query.set('format', format);
    return `${data.screen}/export?${query}`;
  };
  const isRefused = params.get('filter') === refusedFilter;
  return (
    <>
      <ListScreen
        data={data}
        description={
          data.keptDays === null ? t('audit.kept-for-ever') : t('audit.kept', { count: data.keptDays })
        }
      />
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <LinkButton to={isRefused ? data.screen : `?${new URLSearchParams({ filter: refusedFilter })}`}>
          {t(isRefused ? 'audit.all' : 'audit.refused')}
        </LinkButton>
        <LinkButton reloadDocument to={download('csv')}>
          {t('audit.download', { format: 'CSV' })}
        </LinkButton>
        <LinkButton reloadDocument to={download('json')}>
          {t('audit.download', { format: 'JSON' })}
        </LinkButton>
        <VerifyChain />
      </div>
    </>
  );
}

/** Button that verifies the chain and shows the result. */
function VerifyChain() {
  const { t } = useTranslation();
  const fetcher = useFetcher();
  const refused = toActionProblem(fetcher.data);
  useProblemToast(refused);
  const verification = refused ? undefined : (fetcher.data as ChainVerification | undefined);
  const busy = fetcher.state !== 'idle';
  return (
    <>
      <Button busy={busy} onClick={() => fetcher.submit({ intent: 'verify' }, { method: 'post' })}>
        {t('audit.verify')}
      </Button>
      {verification && !busy && (
        <p
          role="status"
          className={verification.intact ? 'text-sm text-success-fg' : 'text-sm text-danger-fg'}
        >
          {verification.intact
            ? t('audit.intact', { count: verification.checked })
            : t('audit.broken', { number: verification.firstBroken })}
        </p>
      )}
    </>
  );
}
