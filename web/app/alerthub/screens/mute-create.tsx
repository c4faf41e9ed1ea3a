// The form that makes a new mute schedule, with what it would have silenced.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { muteSchedule } from '@yagura/core/alerthub/mute-schedule';
import { createData } from '../../resource/create-data.server.ts';
import { FormScreen } from '../../resource/form-screen.tsx';
import { createFrom } from '../../resource/write.server.ts';
import { useActionResult } from '../../shell/use-reply.ts';
import { asksForReplay, replayFrom } from '../replay.server.ts';
import { ReplayPanel } from '../replay-panel.tsx';

export const loader = (args: LoaderFunctionArgs) => createData(args);

export async function action(args: ActionFunctionArgs) {
  if (await asksForReplay(args.request))
    return replayFrom(args, muteSchedule, {
      kind: 'mute-schedule',
      id: null,
      scopeId: args.params.scopeId!,
    });
  return createFrom(args);
}

export default function MuteCreate() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen key={data.screen} {...data} refusal={refusal} mode="create" cancelHref={data.screen}>
      <ReplayPanel />
    </FormScreen>
  );
}
