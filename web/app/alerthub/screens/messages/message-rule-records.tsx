// List of each rule's result for a message.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { countOutcomes } from '@yagura/core/alerthub/engine/explain/count-outcomes';
import { message, ruleRecord } from '@yagura/core/alerthub/message';
import { rule } from '@yagura/core/alerthub/rule';
import { shapeFields } from '@yagura/core/resource/field';
import type { MiniData } from '../../../resource/list/mini-data.server.ts';
import { MiniTable } from '../../../resource/list/mini-table.tsx';
import { withApi } from '../../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../../signin/current-user.server.ts';
import { Panel } from '../../../ui/page/panel.tsx';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { useTranslation } from '../../../ui/translation.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params.messageId!;
  return withApi(args, async (api) => {
    const [page, user] = await Promise.all([
      api.client(message).call<{ items: Record<string, unknown>[]; total: number }>('rule-records', {
        id,
      }),
      getCurrentUser(api),
    ]);
    const opens = resourcePermissions(user, rule).show;
    const records: MiniData = {
      name: 'rule-record',
      id: 'ruleId',
      fields: shapeFields(ruleRecord),
      rows: page.items,
      hrefs: opens
        ? Object.fromEntries(page.items.map(({ ruleId }) => [ruleId, `/apps/alerthub/rules/${ruleId}`]))
        : {},
      total: page.total,
      references: {},
    };
    return { records, watches: ['message'] };
  });
}

export default function MessageRuleRecords() {
  const { records } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <Panel title={t('page.rule-records')}>
      <MiniTable
        data={records}
        caption={t('page.rule-records')}
        columns={['outcome', 'displayName', 'evaluatedAt']}
        hiddenOnMobile={['evaluatedAt']}
        empty={<Placeholder title={t('page.no-rule-records')} />}
        extra={{ label: t('label.elements'), render: (row) => <ElementCounts elements={row.elements} /> }}
      />
    </Panel>
  );
}

/** The decision log of the message explains each element. */
function ElementCounts({ elements }: { elements: unknown }) {
  const { t } = useTranslation();
  if (!Array.isArray(elements)) return null;
  return <Link to="../why">{t('why.line.rule.elements', countOutcomes(elements))}</Link>;
}
