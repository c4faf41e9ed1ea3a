// The form that changes a mute schedule, with what it would have silenced.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { muteSchedule } from '@yagura/core/alerthub/mute-schedule';
import { editData } from '../../resource/edit-data.server.ts';
import { FormScreen } from '../../resource/form-screen.tsx';
import { editFrom } from '../../resource/write.server.ts';
import { useActionResult } from '../../shell/use-reply.ts';
import { asksForReplay, replayFrom } from '../replay.server.ts';
import { ReplayPanel } from '../replay-panel.tsx';

export const loader = (args: LoaderFunctionArgs) => editData(args);

export async function action(args: ActionFunctionArgs) {
  if (await asksForReplay(args.request))
    return replayFrom(args, muteSchedule, {
      kind: 'mute-schedule',
      id: args.params.muteScheduleId!,
      scopeId: null,
    });
  return editFrom(args);
}

export default function MuteEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen key={data.version} {...data} refusal={refusal} mode="edit">
      <ReplayPanel />
    </FormScreen>
  );
}
