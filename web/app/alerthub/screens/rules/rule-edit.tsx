// Form for editing a rule.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { rule } from '@yagura/core/alerthub/rule';
import { editData } from '../../../resource/form/edit-data.server.ts';
import { editAction } from '../../../resource/write/write.server.ts';
import { useActionResult } from '../../../shell/feedback/use-action-result.ts';
import { withApi } from '../../../signin/api.server.ts';
import { handleReplay, isReplayRequest } from '../../replay/replay.server.ts';
import { handleRuleTest, isRuleTestRequest, listTestMessages } from '../../rule-test/rule-test.server.ts';
import { RuleForm } from './rule-form.tsx';
import { ruleFormData } from './rule-form-data.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const data = await editData(args);
  const more = await withApi(args, (api) =>
    ruleFormData(api, listTestMessages(api, String(data.values.receiveSlotId)), { isOfSlot: true }),
  );
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
  return <RuleForm key={data.version} {...data} actionData={refusal} mode="edit" />;
}
