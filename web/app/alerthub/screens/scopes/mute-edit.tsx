// Form for editing a mute schedule, with a preview of what it would have muted.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { muteSchedule } from '@yagura/core/alerthub/mute-schedule';
import { editData } from '../../../resource/form/edit-data.server.ts';
import { FormScreen } from '../../../resource/form/form-screen.tsx';
import { editAction } from '../../../resource/write/write.server.ts';
import { useActionResult } from '../../../shell/feedback/use-action-result.ts';
import { handleReplay, isReplayRequest } from '../../replay/replay.server.ts';
import { ReplayPanel } from '../../replay/replay-panel.tsx';

export const loader = (args: LoaderFunctionArgs) => editData(args);

export async function action(args: ActionFunctionArgs) {
  if (await isReplayRequest(args.request))
    return handleReplay(args, muteSchedule, {
      kind: 'mute-schedule',
      id: args.params.muteScheduleId!,
      scopeId: null,
    });
  return editAction(args);
}

export default function MuteEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen key={data.version} {...data} actionData={refusal} mode="edit">
      <ReplayPanel />
    </FormScreen>
  );
}
