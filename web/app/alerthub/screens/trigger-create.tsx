// The form that makes a new trigger.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { trigger } from '@yagura/core/alerthub/trigger';
import { createData } from '../../resource/create-data.server.ts';
import { FormScreen } from '../../resource/form-screen.tsx';
import { createFrom } from '../../resource/write.server.ts';
import { useActionResult } from '../../shell/use-reply.ts';
import { withApi } from '../../signin/api.server.ts';
import { asksForReplay, replayFrom } from '../replay.server.ts';
import { ReplayPanel } from '../replay-panel.tsx';
import { conditions, relatedFilters, runbookNames, transforms } from './catalogue.server.ts';
import { triggerFields } from './trigger-fields.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return {
    ...(await createData(args)),
    ...(await withApi(args, async (api) => ({
      operators: await transforms(api),
      conditions: await conditions(api),
      filters: await relatedFilters(api),
      runbooks: await runbookNames(api),
    }))),
  };
}

export async function action(args: ActionFunctionArgs) {
  if (await asksForReplay(args.request))
    return replayFrom(args, trigger, {
      kind: 'trigger',
      id: null,
      scopeId: args.params.scopeId!,
    });
  return createFrom(args);
}

export default function TriggerCreate() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen
      key={data.screen}
      {...data}
      refusal={refusal}
      mode="create"
      cancelHref={data.screen}
      fields={(values) =>
        triggerFields(data.meta.form, values, data, { ...data.references, runbook: data.runbooks })
      }
    >
      <ReplayPanel />
    </FormScreen>
  );
}
