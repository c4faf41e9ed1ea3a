// List of log keys, and the creation of a new one to which new logs are encrypted.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { logKey } from '@yagura/core/greac/log-key';
import { logRetention } from '@yagura/core/greac/log-retention';
import { itemFields, permissionFor } from '@yagura/core/resource/define-resource';
import { buildCrumbs } from '../../resource/crumbs.server.ts';
import { listData } from '../../resource/list/list-data.server.ts';
import { ListScreen } from '../../resource/list/list-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { redirectWithNotice, toProblemResponse } from '../../resource/write/write.server.ts';
import { formatNoun } from '../../shell/navigation/crumb.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { InfoTable } from '../../ui/table/info-table.tsx';
import { useTranslation } from '../../ui/translation.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const url = new URL(args.request.url);
  const match = matchResource(url.pathname);
  return withApi(args, async (api) => {
    const user = await getCurrentUser(api);
    const { permissions } = user;
    const ofRetention = resourcePermissions(user, logRetention);
    const [list, crumbs, retention] = await Promise.all([
      listData(api, { ...match, searchParams: url.searchParams }),
      buildCrumbs(api, match),
      ofRetention.show ? api.client(logRetention).show() : null,
    ]);
    return {
      list,
      crumbs,
      watches: [logKey.name, logRetention.name],
      retention: retention && {
        item: retention as Record<string, unknown>,
        fields: itemFields(logRetention),
        mayEdit: ofRetention.edit,
      },
      mayRefresh: can(permissions, permissionFor(logKey, 'refresh')),
    };
  });
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  return withApi(args, async (api) => {
    try {
      const { keyId } = await api.client(logKey).call<{ keyId: string }>('refresh');
      return redirectWithNotice(`/apps/greac/key-management/${keyId}`, 'created');
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export default function LogKeys() {
  const { list, mayRefresh, retention } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const fetcher = useFetcher();
  useProblemToast(fetcher.data);
  return (
    <>
      <ListScreen key={list.screen} data={list} emptyText={t('greac.no-keys')} />
      {mayRefresh && (
        <div className="mt-4 flex flex-wrap items-center gap-3 text-sm">
          <Button
            variant="primary"
            icon="plus"
            busy={fetcher.state !== 'idle'}
            onClick={() => fetcher.submit({}, { method: 'post' })}
          >
            {fetcher.state === 'idle' ? t('greac.refresh-key') : t('greac.refreshing-key')}
          </Button>
          <span className="text-muted">{t('greac.refresh-key-text')}</span>
        </div>
      )}
      {retention && <RetentionPanel retention={retention} />}
    </>
  );
}

type RetentionData = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['retention']>;

function RetentionPanel({ retention: { item, fields, mayEdit } }: { retention: RetentionData }) {
  const { t, language } = useTranslation();
  const name = formatNoun(logRetention.noun, language, 'one');
  return (
    <div className="mt-6">
      <Panel
        title={name}
        actions={
          mayEdit && (
            <LinkButton to={`${logRetention.screen}/edit`} size="small" icon="edit">
              {t('verb.edit')}
            </LinkButton>
          )
        }
      >
        <p className="px-4 pt-3 text-sm text-muted">{t('greac.retention-about')}</p>
        <div className="px-4 py-2">
          <InfoTable
            caption={name}
            rows={Object.entries(fields).map(([field, meta]) => ({
              ...{ name: field, meta, value: item[field] },
              ...(field === 'logDays' && item[field] === null
                ? { children: t('greac.retention-forever') }
                : {}),
            }))}
          />
        </div>
      </Panel>
    </div>
  );
}
