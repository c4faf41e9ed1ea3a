// Detail page of a Kroker: status, credentials, log and setup instructions.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { formatWholeNumber } from '@yagura/core/format/whole-number';
import { credential } from '@yagura/core/kroker/credential';
import { krokerLog } from '@yagura/core/kroker/kroker-log';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item/item-screen.tsx';
import { miniData } from '../../resource/list/mini-data.server.ts';
import { MiniTable } from '../../resource/list/mini-table.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { removeItemAction } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { ScrollableText } from '../../ui/text/scrollable-text.tsx';
import { useTranslation } from '../../ui/translation.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  const pathParams = { krokerId: args.params.krokerId! };
  return withApi(args, async (api) => {
    const user = await getCurrentUser(api);
    const permissions = resourcePermissions(user, credential);
    const [data, credentials, logs] = await Promise.all([
      itemData(api, match),
      permissions.list ? miniData(api, credential, { sort: 'displayName', limit: 100 }, pathParams) : null,
      resourcePermissions(user, krokerLog).list
        ? miniData(api, krokerLog, { sort: '-createdAt', limit: 5 }, pathParams)
        : null,
    ]);
    return {
      data,
      crumbs: data.crumbs,
      credentials,
      logs,
      mayCreate: permissions.create,
      origin: args.context.origin,
      watches: ['kroker', 'credential'],
    };
  });
}

export const action = removeItemAction;

export default function Kroker() {
  const { data, credentials, logs, mayCreate, origin } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const id = String(data.item.krokerId);
  const base = `/preference/kroker/list/${id}`;
  const ready = data.item.thumbprint !== null;
  return (
    <div key={id} className="grid gap-5">
      <div>
        <ItemHeader data={data} />
        <ItemInfo data={data} />
      </div>
      {!ready && (
        <Panel title={t('kroker.how-to-set-up')} padded>
          <p className="mb-2 text-sm">{t('kroker.how-to-set-up-text')}</p>
          <ScrollableText className="p-3">{`yagura kroker setup ${origin}`}</ScrollableText>
        </Panel>
      )}
      {credentials && (
        <Panel
          title={t('kroker.credentials')}
          actions={
            <>
              {credentials.total > credentials.rows.length && (
                <Link to={`${base}/credentials`} className="text-sm text-primary hover:underline">
                  {t('ui.show-all')} ({formatWholeNumber(credentials.total)})
                </Link>
              )}
              {mayCreate && ready && (
                <LinkButton to={`${base}/credentials/new`} size="small" icon="plus">
                  {t('verb.create')}
                </LinkButton>
              )}
            </>
          }
        >
          <MiniTable
            data={credentials}
            caption={t('kroker.credentials')}
            columns={['displayName', 'credentialType', 'sealed', 'updatedAt']}
            hiddenOnMobile={['updatedAt']}
            empty={<Placeholder kind="empty" title={t('kroker.no-credentials')} />}
          />
        </Panel>
      )}
      {logs && (
        <Panel
          title={t('kroker.latest-log')}
          actions={
            <Link to={`/preference/kroker/${id}/logs`} className="text-sm text-primary hover:underline">
              {t('kroker.whole-log')}
            </Link>
          }
        >
          <MiniTable
            data={logs}
            caption={t('kroker.latest-log')}
            columns={['createdAt', 'event', 'name', 'user']}
            empty={<Placeholder kind="empty" title={t('kroker.no-log')} />}
          />
        </Panel>
      )}
    </div>
  );
}
