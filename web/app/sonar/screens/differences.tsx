// What changed from an earlier snapshot to this one; the other snapshot is in the URL.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData, useNavigate, useSearchParams } from '@remix-run/react';
import { formatDateTimeSeconds } from '@yagura/core/format/date-time';
import type { ListQuery } from '@yagura/core/http/page';
import { Problem } from '@yagura/core/http/problem';
import { snapshot, snapshotDifference } from '@yagura/core/sonar/snapshot';
import { useId } from 'react';
import { listData } from '../../resource/list/list-data.server.ts';
import { ListScreen } from '../../resource/list/list-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { baseSnapshots, type ComparableSnapshot } from '../base-snapshot.server.ts';
import { differenceCommand } from '../difference-command.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(args.request.url);
  const match = matchResource(pathname);
  const { networkId, snapshotId } = match.params as { networkId: string; snapshotId: string };
  return withApi(args, async (api) => {
    const { base: previous, snapshots } = await baseSnapshots(snapshotId, {
      list: async (query) => (await api.client(snapshot).list(query, { networkId })).items,
      show: () => api.client(snapshot).show(snapshotId, { networkId }),
    });
    const base = searchParams.get('base') || previous;
    let refused: string | null = null;
    let filter: string | undefined;
    const list = await listData(api, {
      ...match,
      searchParams,
      async fetch(query) {
        filter = query.filter;
        const fullQuery: ListQuery & { baseSnapshotId?: string } = base
          ? { ...query, baseSnapshotId: base }
          : query;
        try {
          return await api.client(snapshotDifference).list(fullQuery, match.params);
        } catch (error) {
          if (!(error instanceof Problem) || error.kind !== 'not-possible') throw error;
          refused = error.detail ?? error.title;
          return { items: [], total: 0 };
        }
      },
    });
    const nodes = `/apps/sonar/networks/${networkId}`;
    return {
      ...list,
      hrefs: Object.fromEntries(
        list.rows.map((row) => [
          row.differenceId,
          row.managedNodeId
            ? `${nodes}/managed-nodes/${row.managedNodeId}`
            : `${nodes}/snapshots/${row.nodeSnapshotId}/nodes/${row.nodeId}`,
        ]),
      ),
      command: differenceCommand(networkId, snapshotId, base, filter),
      snapshots,
      base,
      refused: refused as string | null,
    };
  });
}

export default function Differences() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  if (data.refused) return <Placeholder kind="empty" title={data.refused} />;
  return (
    <>
      {data.snapshots.length > 0 && <BaseSelect base={data.base} snapshots={data.snapshots} />}
      <ListScreen
        key={data.base}
        data={data}
        nested
        emptyText={data.base ? t('sonar.difference.none') : t('sonar.difference.first')}
      />
    </>
  );
}

function BaseSelect({ base, snapshots }: { base: string; snapshots: ComparableSnapshot[] }) {
  const { t, language, timeZone } = useTranslation();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const id = useId();
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2 text-sm print:hidden">
      <label htmlFor={id} className="font-medium">
        {t('sonar.difference.base')}
      </label>
      <select
        id={id}
        value={base}
        onChange={(event) => {
          const next = new URLSearchParams(params);
          next.set('base', event.target.value);
          next.delete('page');
          navigate(`?${next}`, { preventScrollReset: true });
        }}
        className={`${controlClass} h-8 w-auto! max-w-full`}
      >
        {!snapshots.some((one) => one.snapshotId === base) && (
          <option value={base}>{base || t('rule.select')}</option>
        )}
        {snapshots.map(({ snapshotId, createdAt }) => (
          <option key={snapshotId} value={snapshotId}>
            {formatDateTimeSeconds(createdAt, { language, timeZone })}
          </option>
        ))}
      </select>
    </div>
  );
}
