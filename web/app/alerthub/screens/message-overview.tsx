// What a message is: its facts, its body and headers, and the deliveries it led to.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData, useRouteLoaderData } from '@remix-run/react';
import { actionRecord } from '@yagura/core/alerthub/action-record';
import type { ItemData } from '../../resource/item-data.server.ts';
import { ItemInfo } from '../../resource/item-screen.tsx';
import { miniData } from '../../resource/mini-data.server.ts';
import { MiniTable } from '../../resource/mini-table.tsx';
import { Panel } from '../../shell/panel.tsx';
import { screen } from '../../signin/api.server.ts';
import { mayOf, personOf } from '../../signin/grant.server.ts';
import { CopyButton } from '../../ui/copy-id.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { Placeholder } from '../../ui/placeholder.tsx';
import { useWords } from '../../ui/words.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const filter = `messageId eq ${JSON.stringify(args.params.messageId)}`;
  return screen(args, async (api) => {
    const may = mayOf(await personOf(api), actionRecord).list;
    const deliveries = may
      ? await miniData(api, actionRecord, { filter, sort: 'createdAt', limit: 100 })
      : null;
    return { deliveries, watches: ['message', 'action-record'] };
  });
}

interface Content {
  body?: string;
  data?: unknown;
}

interface Metadata {
  requestUrl?: string;
  headers?: Record<string, unknown>;
}

export default function MessageOverview() {
  const { deliveries } = useLoaderData<typeof loader>();
  const message = useRouteLoaderData('message') as ItemData | undefined;
  const { t } = useWords();
  if (!message) return null;
  const { body = '', data } = (message.item.content ?? {}) as Content;
  const { headers = {}, requestUrl } = (message.item.metadata ?? {}) as Metadata;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <div className="grid gap-5">
        <ItemInfo data={message} />
        {deliveries && (
          <Panel title={t('page.message-deliveries')}>
            <MiniTable
              data={deliveries}
              caption={t('page.message-deliveries')}
              columns={['status', 'createdAt', 'actionId', 'scopeId']}
              wide={['scopeId']}
              empty={<Placeholder title={t('page.no-message-deliveries')} />}
            />
          </Panel>
        )}
      </div>
      <div className="grid gap-5">
        <Panel
          title={t('page.body')}
          padded
          actions={body && <CopyButton text={body} label={t('verb.copy')} />}
        >
          {body === '' ? (
            <p className="text-sm text-muted">{t('page.no-body')}</p>
          ) : data === undefined ? (
            <pre className="max-h-120 overflow-auto font-mono text-xs break-all whitespace-pre-wrap">
              {body}
            </pre>
          ) : (
            <JsonView value={data} />
          )}
        </Panel>
        <Panel title={t('page.headers')} padded>
          <dl className="grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
            {requestUrl && (
              <>
                <dt className="text-muted">{t('page.request-url')}</dt>
                <dd className="font-mono text-xs leading-5 break-all">{requestUrl}</dd>
              </>
            )}
            {Object.entries(headers).map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-muted">{name}</dt>
                <dd className="font-mono text-xs leading-5 break-all">{String(value)}</dd>
              </div>
            ))}
          </dl>
        </Panel>
      </div>
    </div>
  );
}
