// List of a network's scan schedules: each as a sentence with its next run and a switch.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { Link, useFetcher, useLoaderData } from '@remix-run/react';
import { scheduleSentence } from '@yagura/core/schedule/schedule-sentence';
import { createScanSchedulesClient, scanScheduleNoun } from '@yagura/core/sonar/scan-schedules';
import { taskSchedule } from '@yagura/core/tasks/task-schedule';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { formatNoun } from '../../shell/navigation/crumb.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { Time } from '../../ui/text/time.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { scanSchedule, scheduleCrumbs, schedulesPath } from '../scan-schedule.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const networkId = args.params.networkId!;
  return withApi(args, async (api) => {
    const [page, user, crumbs] = await Promise.all([
      createScanSchedulesClient(api.transport, networkId).list({ limit: 1000, sort: 'displayName' }),
      getCurrentUser(api),
      scheduleCrumbs(api, networkId),
    ]);
    const schedules = page.items as ((typeof page.items)[number] & { nextRunAt?: string | null })[];
    return {
      schedules,
      path: schedulesPath(networkId),
      may: resourcePermissions(user, taskSchedule),
      crumbs,
      watches: ['task-schedule'],
    };
  });
}

/** Enables or disables a schedule by fetching it and writing it back. */
export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const networkId = args.params.networkId!;
  const id = String((await args.request.formData()).get('toggle') ?? '');
  return withApi(args, async (api) => {
    try {
      await scanSchedule(api, networkId, id);
      await createScanSchedulesClient(api.transport, networkId).toggle(id);
      return null;
    } catch (error) {
      // The others of the list are still there.
      return toProblemResponse(error, {}, { redirect: false });
    }
  });
}

export default function Schedules() {
  const { schedules, path, may } = useLoaderData<typeof loader>();
  const { t, language, timeZone } = useTranslation();
  return (
    <>
      <div className="mb-3 flex min-h-8 flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">{formatNoun(scanScheduleNoun, language, 'many')}</h2>
        {may.create && (
          <LinkButton to={`${path}/new`} variant="primary" icon="plus">
            {t('verb.create')}
          </LinkButton>
        )}
      </div>
      {schedules.length === 0 ? (
        <Placeholder kind="empty" title={t('sonar.schedule.none')} detail={t('sonar.schedule.none-detail')} />
      ) : (
        <ul className="grid gap-2">
          {schedules.map((schedule) => (
            <li
              key={schedule.taskScheduleId}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-lg border border-line bg-surface px-4 py-3 shadow-raised"
            >
              <div className="min-w-0 flex-1 max-sm:basis-full">
                <Link to={`${path}/${schedule.taskScheduleId}`} className="font-semibold break-words">
                  {schedule.displayName || t('sonar.schedule.unnamed')}
                </Link>
                <p className="text-sm text-muted">{scheduleSentence(schedule, { language, timeZone }, t)}</p>
              </div>
              <p className="text-sm">
                {schedule.disabled ? (
                  <span className="text-muted">{t('sonar.schedule.off')}</span>
                ) : schedule.nextRunAt ? (
                  <>
                    <span className="text-muted">{t('sonar.schedule.next')}: </span>
                    <Time value={schedule.nextRunAt} upcoming />{' '}
                    <span className="text-muted">· {timeZone}</span>
                  </>
                ) : (
                  <span className="text-muted">{t('sonar.schedule.over')}</span>
                )}
              </p>
              {may.edit && <Switch id={schedule.taskScheduleId} disabled={schedule.disabled === true} />}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Switch({ id, disabled }: { id: string; disabled: boolean }) {
  const { t } = useTranslation();
  const fetcher = useFetcher<typeof action>();
  useProblemToast(fetcher.data);
  return (
    <Button
      size="small"
      busy={fetcher.state !== 'idle'}
      onClick={() => fetcher.submit({ toggle: id }, { method: 'post' })}
    >
      {disabled ? t('sonar.schedule.switch-on') : t('sonar.schedule.switch-off')}
    </Button>
  );
}
