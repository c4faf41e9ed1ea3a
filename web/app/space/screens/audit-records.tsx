// The audit log: its list, what was refused by one press, downloads of what is shown, and the check of its chain.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData, useSearchParams } from '@remix-run/react';
import { auditRecord } from '@yagura/core/space/audit-record';
import { crumbsFor } from '../../resource/crumbs.server.ts';
import { listData } from '../../resource/list-data.server.ts';
import { ListScreen } from '../../resource/list-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { asRefusal, useRefusalToast } from '../../resource/use-refusal-toast.ts';
import { refuse } from '../../resource/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { refuseForeign } from '../../signin/same-origin.server.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/words.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const url = new URL(args.request.url);
  const placed = matchResource(url.pathname);
  return withApi(args, async (api) => {
    const [list, kept, crumbs] = await Promise.all([
      listData(api, { ...placed, params: url.searchParams }),
      api.client(auditRecord).call<{ days: number | null }>('retention'),
      crumbsFor(api, placed),
    ]);
    return { ...list, keptDays: kept.days, crumbs };
  });
}

interface Verdict {
  intact: boolean;
  checked: number;
  firstBroken: number | null;
}

export async function action(args: ActionFunctionArgs) {
  refuseForeign(args.request, args.context);
  return withApi(args, async (api) => {
    try {
      return await api.client(auditRecord).call<Verdict>('verify', { body: {} });
    } catch (error) {
      return refuse(error, {});
    }
  });
}

const refusals = 'outcome eq "refused"';

export default function AuditRecords() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const download = (format: string) => {
    const query = new URLSearchParams(params);
    query.set('format', format);
    return `${data.screen}/export?${query}`;
  };
  const isRefused = params.get('filter') === refusals;
  return (
    <>
      <ListScreen
        data={data}
        lead={data.keptDays === null ? t('audit.kept-for-ever') : t('audit.kept', { count: data.keptDays })}
      />
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <LinkButton to={isRefused ? data.screen : `?${new URLSearchParams({ filter: refusals })}`}>
          {t(isRefused ? 'audit.all' : 'audit.refused')}
        </LinkButton>
        <LinkButton reloadDocument to={download('csv')}>
          {t('audit.download', { format: 'CSV' })}
        </LinkButton>
        <LinkButton reloadDocument to={download('json')}>
          {t('audit.download', { format: 'JSON' })}
        </LinkButton>
        <Check />
      </div>
    </>
  );
}

/** Walks the chain and says what it found. */
function Check() {
  const { t } = useTranslation();
  const fetcher = useFetcher();
  const refused = asRefusal(fetcher.data);
  useRefusalToast(refused);
  const verdict = refused ? undefined : (fetcher.data as Verdict | undefined);
  const busy = fetcher.state !== 'idle';
  return (
    <>
      <Button busy={busy} onClick={() => fetcher.submit({ intent: 'verify' }, { method: 'post' })}>
        {t('audit.verify')}
      </Button>
      {verdict && !busy && (
        <p role="status" className={verdict.intact ? 'text-sm text-success-fg' : 'text-sm text-danger-fg'}>
          {verdict.intact
            ? t('audit.intact', { count: verdict.checked })
            : t('audit.broken', { number: verdict.firstBroken })}
        </p>
      )}
    </>
  );
}
