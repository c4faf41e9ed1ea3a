// What each rule made of a message.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { message, ruleRecord } from '@yagura/core/alerthub/message';
import { rule } from '@yagura/core/alerthub/rule';
import { shapeFacts } from '@yagura/core/resource/field';
import type { MiniData } from '../../resource/mini-data.server.ts';
import { MiniTable } from '../../resource/mini-table.tsx';
import { Panel } from '../../shell/panel.tsx';
import { screen } from '../../signin/api.server.ts';
import { mayOf, personOf } from '../../signin/grant.server.ts';
import { Placeholder } from '../../ui/placeholder.tsx';
import { useWords } from '../../ui/words.tsx';

const most = 1000;

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params.messageId!;
  return screen(args, async (api) => {
    const [page, person] = await Promise.all([
      api.client(message).call<{ items: Record<string, unknown>[]; total: number }>('rule-records', {
        id,
        query: { limit: most },
      }),
      personOf(api),
    ]);
    const opens = mayOf(person, rule).show;
    const records: MiniData = {
      name: 'rule-record',
      id: 'ruleId',
      columns: Object.entries(shapeFacts(ruleRecord)).map(([name, facts]) => ({
        name,
        facts,
        sortable: false,
      })),
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
  const { t } = useWords();
  return (
    <Panel title={t('page.rule-records')}>
      <MiniTable
        data={records}
        caption={t('page.rule-records')}
        columns={['outcome', 'displayName', 'evaluatedAt']}
        empty={<Placeholder title={t('page.no-rule-records')} />}
      />
    </Panel>
  );
}
