// The form that changes a trigger.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { trigger } from '@yagura/core/alerthub/trigger';
import { editData } from '../../resource/edit-data.server.ts';
import { FormScreen } from '../../resource/form-screen.tsx';
import { editFrom } from '../../resource/write.server.ts';
import { useActionResult } from '../../shell/use-reply.ts';
import { withApi } from '../../signin/api.server.ts';
import { asksForReplay, replayFrom } from '../replay.server.ts';
import { ReplayPanel } from '../replay-panel.tsx';
import { conditions, relatedFilters, runbookNames, transforms } from './catalogue.server.ts';
import { triggerFields } from './trigger-fields.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return {
    ...(await editData(args)),
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
      id: args.params.triggerId!,
      scopeId: null,
    });
  return editFrom(args);
}

export default function TriggerEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen
      key={data.version}
      {...data}
      refusal={refusal}
      mode="edit"
      fields={(values) =>
        triggerFields(data.meta.form, values, data, { ...data.references, runbook: data.runbooks })
      }
    >
      <ReplayPanel />
    </FormScreen>
  );
}
