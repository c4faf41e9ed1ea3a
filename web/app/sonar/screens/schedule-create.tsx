// Form for a new scan schedule of a network.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Problem } from '@yagura/core/http/problem';
import { inputFields } from '@yagura/core/resource/define-resource';
import { createScanSchedulesClient, type ScheduleInput } from '@yagura/core/sonar/scan-schedules';
import { taskSchedule } from '@yagura/core/tasks/task-schedule';
import { redirectWithNotice, toProblemResponse } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { readForm } from '../../ui/field/form-data.ts';
import { scheduleCommand, scheduleCrumbs, schedulesPath } from '../scan-schedule.server.ts';
import { ScheduleForm } from '../schedule-form.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { networkId } = args.params;
  return withApi(args, async (api) => {
    if (!resourcePermissions(await getCurrentUser(api), taskSchedule).create) throw new Problem('forbidden');
    const path = schedulesPath(networkId);
    const crumbs = await scheduleCrumbs(api, networkId, { to: `${path}/new`, labelKey: 'verb.create' });
    return { path, crumbs, command: scheduleCommand(networkId) };
  });
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const networkId = args.params.networkId!;
  const values = readForm(await args.request.formData(), inputFields(taskSchedule)) as ScheduleInput;
  return withApi(args, async (api) => {
    try {
      await createScanSchedulesClient(api.transport, networkId).create(values);
      return redirectWithNotice(schedulesPath(networkId), 'created');
    } catch (error) {
      return toProblemResponse(error, values as Record<string, unknown>);
    }
  });
}

export default function ScheduleCreate() {
  const { path, command } = useLoaderData<typeof loader>();
  return (
    <ScheduleForm
      mode="create"
      command={command}
      cancelHref={path}
      refusal={useActionResult<typeof action>()}
    />
  );
}
