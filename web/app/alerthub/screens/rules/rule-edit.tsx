// Form for editing a rule.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { rule } from '@yagura/core/alerthub/rule';
import { editData } from '../../../resource/form/edit-data.server.ts';
import { FormScreen } from '../../../resource/form/form-screen.tsx';
import { editAction } from '../../../resource/write/write.server.ts';
import { useActionResult } from '../../../shell/feedback/use-action-result.ts';
import { withApi } from '../../../signin/api.server.ts';
import { useTranslation } from '../../../ui/translation.tsx';
import { operators } from '../../flow/catalogue.server.ts';
import { MessagePathsContext } from '../../flow/data-paths.ts';
import { handleReplay, isReplayRequest } from '../../replay/replay.server.ts';
import { ReplayPanel } from '../../replay/replay-panel.tsx';
import {
  findMessagePaths,
  handleRuleTest,
  isRuleTestRequest,
  listTestMessages,
} from '../../rule-test/rule-test.server.ts';
import { RuleTestPanel } from '../../rule-test/rule-test-panel.tsx';
import { ruleFields } from './rule-fields.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const data = await editData(args);
  const more = await withApi(args, async (api) => {
    const [catalogue, messages] = await Promise.all([
      operators(api),
      listTestMessages(api, String(data.values.receiveSlotId)),
    ]);
    const paths = await findMessagePaths(api, messages[0]?.messageId);
    return { operators: catalogue, messages, paths };
  });
  return { ...data, ...more };
}

export async function action(args: ActionFunctionArgs) {
  if (await isReplayRequest(args.request))
    return handleReplay(args, rule, { kind: 'rule', id: args.params.ruleId!, scopeId: null });
  return (await isRuleTestRequest(args.request)) ? handleRuleTest(args) : editAction(args);
}

export default function RuleEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  const { t } = useTranslation();
  return (
    <MessagePathsContext value={data.paths}>
      <FormScreen
        key={data.version}
        {...data}
        actionData={refusal}
        mode="edit"
        hints={{ forEach: t('alerthub.for-each-hint') }}
        fields={(values) => ruleFields(data.meta.form, values, data.operators, data.references)}
      >
        <RuleTestPanel messages={data.messages} />
        <ReplayPanel />
      </FormScreen>
    </MessagePathsContext>
  );
}
