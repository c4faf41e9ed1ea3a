// Form for a new rule, also for one that is made for a message.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { rule } from '@yagura/core/alerthub/rule';
import { createData } from '../../../resource/form/create-data.server.ts';
import { FormScreen } from '../../../resource/form/form-screen.tsx';
import { createAction } from '../../../resource/write/write.server.ts';
import { useActionResult } from '../../../shell/feedback/use-action-result.ts';
import { withApi } from '../../../signin/api.server.ts';
import { useTranslation } from '../../../ui/translation.tsx';
import { operators } from '../../flow/catalogue.server.ts';
import { MessagePathsContext } from '../../flow/data-paths.ts';
import { handleReplay, isReplayRequest } from '../../replay/replay.server.ts';
import { ReplayPanel } from '../../replay/replay-panel.tsx';
import { messageParam } from '../../rule-test/message-param.ts';
import {
  findMessagePaths,
  handleRuleTest,
  isRuleTestRequest,
  listMessagesAround,
  listTestMessages,
} from '../../rule-test/rule-test.server.ts';
import { RuleTestPanel } from '../../rule-test/rule-test-panel.tsx';
import { ruleFields } from './rule-fields.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const messageId = new URL(args.request.url).searchParams.get(messageParam);
  const more = await withApi(args, async (api) => {
    const [catalogue, messages] = await Promise.all([
      operators(api),
      messageId ? listMessagesAround(api, messageId) : listTestMessages(api),
    ]);
    const paths = await findMessagePaths(api, messageId ? messages[0]?.messageId : undefined);
    return { operators: catalogue, messages, paths };
  });
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
  const { t } = useTranslation();
  return (
    <MessagePathsContext value={data.paths}>
      <FormScreen
        key={data.screen}
        {...data}
        actionData={refusal}
        mode="create"
        cancelHref={data.screen}
        hints={{ forEach: t('alerthub.for-each-hint') }}
        fields={(values) => ruleFields(data.meta.form, values, data.operators, data.references)}
      >
        <RuleTestPanel messages={data.messages} />
        <ReplayPanel />
      </FormScreen>
    </MessagePathsContext>
  );
}
