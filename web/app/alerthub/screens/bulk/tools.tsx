// AlertHub tools: the kinds that can be imported and exported, and running imports.

import type { LoaderFunctionArgs } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { historyCommand } from '@yagura/core/alerthub/bulk/bulk-command';
import { bulkKindNames } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { dataKey } from '@yagura/core/i18n/message-key';
import { quoteShellWords } from '@yagura/core/resource/command-line';
import { callStandalone } from '@yagura/core/standalone-calls';
import { usePoll } from '../../../shell/live/use-poll.ts';
import { withApi } from '../../../signin/api.server.ts';
import { Panel } from '../../../ui/page/panel.tsx';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { CliCommand } from '../../../ui/text/cli-command.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { bulkCrumbs, bulkPermissions } from '../../bulk/tools.server.ts';

const max = 100;

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const permissions = await bulkPermissions(api);
    const processing = permissions.listImports
      ? await callStandalone(api.transport, 'bulk-imports-processing', { query: { limit: max } })
      : null;
    return { permissions, kinds: bulkKindNames, processing, crumbs: bulkCrumbs() };
  });
}

export default function Tools() {
  const { permissions, kinds, processing } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const items = processing?.items ?? [];
  usePoll(items.length > 0);
  return (
    <>
      <div className="mb-1 flex items-start justify-between gap-4">
        <h1 className="text-xl font-semibold">{t('page.tools')}</h1>
        {permissions.listImports && (
          <CliCommand command={quoteShellWords(historyCommand('imports', undefined, { size: max }))} />
        )}
      </div>
      <p className="mb-4 max-w-prose text-sm text-muted">{t('bulk.about-tools')}</p>
      <div className="grid gap-5">
        {processing && (
          <Panel title={t('bulk.processing-imports')} note={<span>{processing.total}</span>}>
            {items.length === 0 ? (
              <p className="px-4 py-3 text-sm text-muted">{t('bulk.no-processing')}</p>
            ) : (
              <ul className="divide-y divide-line text-sm">
                {items.map(({ importId, kind, fileName, requestedAt, requestedBy }) => (
                  <li key={importId} className="flex flex-wrap gap-x-4 px-4 py-2">
                    <Link
                      to={`/apps/alerthub/tools/${kind}/imports/${importId}`}
                      className="text-primary hover:underline"
                    >
                      {fileName}
                    </Link>
                    <span>{t(dataKey(`bulk.kind.${kind}`))}</span>
                    <span className="text-muted">{requestedBy}</span>
                    <Time value={requestedAt} />
                  </li>
                ))}
              </ul>
            )}
          </Panel>
        )}
        <Panel title={t('bulk.kinds')}>
          {permissions.listImports || permissions.listExports ? (
            <ul className="divide-y divide-line text-sm">
              {kinds.map((kind) => (
                <li key={kind} className="flex items-center gap-x-4 px-4 py-2">
                  <span className="min-w-0 flex-1 font-medium">{t(dataKey(`bulk.kind.${kind}`))}</span>
                  {permissions.listImports && <HistoryLink kind={kind} direction="imports" />}
                  {permissions.listExports && <HistoryLink kind={kind} direction="exports" />}
                </li>
              ))}
            </ul>
          ) : (
            <Placeholder kind="forbidden" />
          )}
        </Panel>
      </div>
    </>
  );
}

function HistoryLink({ kind, direction }: { kind: string; direction: 'imports' | 'exports' }) {
  const { t } = useTranslation();
  const text = t(`bulk.${direction}`);
  return (
    <Link
      to={`/apps/alerthub/tools/${kind}/histories/${direction}`}
      prefetch="intent"
      aria-label={`${t(dataKey(`bulk.kind.${kind}`))}: ${text}`}
      className="shrink-0 py-0.5 text-primary hover:underline"
    >
      {text}
    </Link>
  );
}
