// The form that makes a new rule.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { rule } from '@yagura/core/alerthub/rule';
import { createData } from '../../resource/create-data.server.ts';
import { FormScreen } from '../../resource/form-screen.tsx';
import { createFrom } from '../../resource/write.server.ts';
import { useActionResult } from '../../shell/use-reply.ts';
import { withApi } from '../../signin/api.server.ts';
import { asksForReplay, replayFrom } from '../replay.server.ts';
import { ReplayPanel } from '../replay-panel.tsx';
import { asksForTest, testFrom, testMessages } from '../rule-test.server.ts';
import { RuleTestPanel } from '../rule-test-panel.tsx';
import { operators } from './catalogue.server.ts';
import { ruleFields } from './rule-fields.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const data = await createData(args);
  const more = await withApi(args, async (api) => ({
    operators: await operators(api),
    messages: await testMessages(api),
  }));
  return { ...data, ...more };
}

export async function action(args: ActionFunctionArgs) {
  if (await asksForReplay(args.request))
    return replayFrom(args, rule, { kind: 'rule', id: null, scopeId: null });
  return (await asksForTest(args.request)) ? testFrom(args) : createFrom(args);
}

export default function RuleCreate() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen
      key={data.screen}
      {...data}
      refusal={refusal}
      mode="create"
      cancelHref={data.screen}
      fields={(values) => ruleFields(data.meta.form, values, data.operators, data.references)}
    >
      <RuleTestPanel messages={data.messages} />
      <ReplayPanel />
    </FormScreen>
  );
}
