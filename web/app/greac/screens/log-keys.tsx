// List of log keys, and the creation of a new one to which new logs are encrypted.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { logKey } from '@yagura/core/greac/log-key';
import { logRetention } from '@yagura/core/greac/log-retention';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { buildCrumbs } from '../../resource/crumbs.server.ts';
import { listData } from '../../resource/list/list-data.server.ts';
import { ListScreen } from '../../resource/list/list-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { retentionData } from '../../resource/retention/retention-data.server.ts';
import { RetentionPanel } from '../../resource/retention/retention-panel.tsx';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { redirectWithNotice, toProblemResponse } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { Button } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const url = new URL(args.request.url);
  const match = matchResource(url.pathname);
  return withApi(args, async (api) => {
    const user = await getCurrentUser(api);
    const { permissions } = user;
    const [list, crumbs, retention] = await Promise.all([
      listData(api, { ...match, searchParams: url.searchParams }),
      buildCrumbs(api, match),
      retentionData(api, user, logRetention),
    ]);
    return {
      list,
      crumbs,
      watches: [logKey.name, logRetention.name],
      retention,
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
      {retention && (
        <div className="mt-6">
          <RetentionPanel retention={retention} />
        </div>
      )}
    </>
  );
}
