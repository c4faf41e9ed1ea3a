// Form for editing a trigger.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { trigger } from '@yagura/core/alerthub/trigger';
import { editData } from '../../../resource/form/edit-data.server.ts';
import { FormScreen } from '../../../resource/form/form-screen.tsx';
import { editAction } from '../../../resource/write/write.server.ts';
import { useActionResult } from '../../../shell/feedback/use-action-result.ts';
import { withApi } from '../../../signin/api.server.ts';
import { conditions, relatedFilters, transforms } from '../../flow/catalogue.server.ts';
import { handleReplay, isReplayRequest } from '../../replay/replay.server.ts';
import { ReplayPanel } from '../../replay/replay-panel.tsx';
import { triggerFields } from './trigger-fields.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return {
    ...(await editData(args)),
    ...(await withApi(args, async (api) => ({
      operators: await transforms(api),
      conditions: await conditions(api),
      filters: await relatedFilters(api),
    }))),
  };
}

export async function action(args: ActionFunctionArgs) {
  if (await isReplayRequest(args.request))
    return handleReplay(args, trigger, {
      kind: 'trigger',
      id: args.params.triggerId!,
      scopeId: null,
    });
  return editAction(args);
}

export default function TriggerEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen
      key={data.version}
      {...data}
      actionData={refusal}
      mode="edit"
      fields={(values) => triggerFields(data.meta.form, values, data, data.references)}
    >
      <ReplayPanel />
    </FormScreen>
  );
}
