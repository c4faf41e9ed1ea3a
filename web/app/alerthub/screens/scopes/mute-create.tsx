// Form for a new mute schedule, with a preview of what it would have muted.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { muteSchedule } from '@yagura/core/alerthub/mute-schedule';
import { createData } from '../../../resource/form/create-data.server.ts';
import { FormScreen } from '../../../resource/form/form-screen.tsx';
import { createAction } from '../../../resource/write/write.server.ts';
import { useActionResult } from '../../../shell/feedback/use-action-result.ts';
import { FieldInput } from '../../../ui/input/field-input.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { MutePresets } from '../../mutes/mute-presets.tsx';
import { handleReplay, isReplayRequest } from '../../replay/replay.server.ts';
import { ReplayPanel } from '../../replay/replay-panel.tsx';

export const loader = (args: LoaderFunctionArgs) => createData(args);

export async function action(args: ActionFunctionArgs) {
  if (await isReplayRequest(args.request))
    return handleReplay(args, muteSchedule, {
      kind: 'mute-schedule',
      id: null,
      scopeId: args.params.scopeId!,
    });
  return createAction(args);
}

export default function MuteCreate() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  const { fieldLabel } = useTranslation();
  return (
    <FormScreen
      key={data.screen}
      {...data}
      actionData={refusal}
      mode="create"
      cancelHref={data.screen}
      fields={({ beginAt }) => ({
        beginAt: (
          <>
            <MutePresets />
            <FieldInput
              name="beginAt"
              meta={data.meta.form.beginAt!}
              label={fieldLabel('beginAt')}
              value={beginAt}
            />
          </>
        ),
      })}
    >
      <ReplayPanel />
    </FormScreen>
  );
}
