// Form for a new rule, also for one that is made for a message.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { rule } from '@yagura/core/alerthub/rule';
import { createData } from '../../../resource/form/create-data.server.ts';
import { createAction } from '../../../resource/write/write.server.ts';
import { useActionResult } from '../../../shell/feedback/use-action-result.ts';
import { withApi } from '../../../signin/api.server.ts';
import { handleReplay, isReplayRequest } from '../../replay/replay.server.ts';
import { messageParam } from '../../rule-test/message-param.ts';
import {
  handleRuleTest,
  isRuleTestRequest,
  listMessagesAround,
  listTestMessages,
} from '../../rule-test/rule-test.server.ts';
import { RuleForm } from './rule-form.tsx';
import { ruleFormData } from './rule-form-data.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const messageId = new URL(args.request.url).searchParams.get(messageParam);
  const more = await withApi(args, (api) =>
    ruleFormData(api, messageId ? listMessagesAround(api, messageId) : listTestMessages(api), {
      isOfSlot: Boolean(messageId),
    }),
  );
  const receiveSlotId = messageId ? more.messages[0]?.receiveSlotId : undefined;
  return { ...(await createData(args, receiveSlotId ? { receiveSlotId } : undefined)), ...more };
}

export async function action(args: ActionFunctionArgs) {
  if (await isReplayRequest(args.request))
    return handleReplay(args, rule, { kind: 'rule', id: null, scopeId: null });
  return (await isRuleTestRequest(args.request)) ? handleRuleTest(args) : createAction(args);
}

export default function RuleCreate() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return <RuleForm key={data.screen} {...data} actionData={refusal} mode="create" cancelHref={data.screen} />;
}
