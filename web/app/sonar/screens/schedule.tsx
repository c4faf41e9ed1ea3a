// Detail page of a scan schedule with edit form and delete button.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { inputFields } from '@yagura/core/resource/define-resource';
import { scheduleSentence } from '@yagura/core/schedule/schedule-sentence';
import { createScanSchedulesClient, type ScheduleInput } from '@yagura/core/sonar/scan-schedules';
import { taskSchedule } from '@yagura/core/tasks/task-schedule';
import { useState } from 'react';
import { etagField } from '../../resource/write/hidden-field.ts';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { redirectWithNotice, replacedVersion, toProblemResponse } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { Button } from '../../ui/button.tsx';
import { readForm } from '../../ui/field/form-data.ts';
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { scanSchedule, scheduleCommand, scheduleCrumbs, schedulesPath } from '../scan-schedule.server.ts';
import { ScheduleForm } from '../schedule-form.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { networkId, taskScheduleId } = args.params;
  return withApi(args, async (api) => {
    const [{ schedule, tag }, user] = await Promise.all([
      scanSchedule(api, networkId, taskScheduleId),
      getCurrentUser(api),
    ]);
    const path = schedulesPath(networkId);
    const text = schedule.displayName;
    return {
      schedule,
      path,
      hidden: { [etagField]: tag ?? '' },
      // Changes with the version, so that a reload after another user's change refills the form.
      version: `${taskScheduleId} ${tag}`,
      command: scheduleCommand(networkId, taskScheduleId),
      may: resourcePermissions(user, taskSchedule),
      crumbs: await scheduleCrumbs(api, networkId, {
        to: `${path}/${taskScheduleId}`,
        ...(text ? { text } : { labelKey: 'sonar.schedule.unnamed' }),
      }),
    };
  });
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const { networkId, taskScheduleId } = args.params;
  const form = await args.request.formData();
  const values = readForm(form, inputFields(taskSchedule)) as ScheduleInput;
  return withApi(args, async (api) => {
    try {
      await scanSchedule(api, networkId, taskScheduleId);
      if (form.get('intent') === 'delete') {
        await api.client(taskSchedule).remove(taskScheduleId!);
        return redirectWithNotice(schedulesPath(networkId), 'deleted');
      }
      await createScanSchedulesClient(api.transport, networkId!).patch(
        taskScheduleId!,
        values,
        replacedVersion(form),
      );
      return redirectWithNotice(schedulesPath(networkId), 'saved');
    } catch (error) {
      return toProblemResponse(error, values as Record<string, unknown>);
    }
  });
}

export default function Schedule() {
  const { schedule, path, hidden, version, command, may } = useLoaderData<typeof loader>();
  const { t, language, timeZone } = useTranslation();
  const refusal = useActionResult<typeof action>();
  const [isConfirming, setIsConfirming] = useState(false);
  const fetcher = useFetcher<typeof action>();
  useProblemToast(fetcher.data, () => setIsConfirming(false));
  const name = schedule.displayName || t('sonar.schedule.unnamed');
  return (
    <>
      {may.edit ? (
        <ScheduleForm
          key={version}
          mode="edit"
          command={command}
          values={schedule}
          hidden={hidden}
          cancelHref={path}
          refusal={refusal}
        />
      ) : (
        <section className="max-w-3xl rounded-lg border border-line bg-surface p-5 shadow-raised">
          <h1 className="text-xl font-semibold">{name}</h1>
          <p className="mt-2 text-sm">{scheduleSentence(schedule, { language, timeZone }, t)}</p>
        </section>
      )}
      {may.remove && (
        <div className="mt-4 max-w-3xl">
          <Button icon="trash" onClick={() => setIsConfirming(true)}>
            {t('verb.delete')}
          </Button>
          <ConfirmDialog
            open={isConfirming}
            title={t('web.delete-title', { name })}
            busy={fetcher.state !== 'idle'}
            onConfirm={() => fetcher.submit({ intent: 'delete' }, { method: 'post' })}
            onCancel={() => setIsConfirming(false)}
          />
        </div>
      )}
    </>
  );
}
