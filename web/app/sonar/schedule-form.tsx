// Form of a scan schedule: name, paused state and timing.

import type { Timing } from '@yagura/core/schedule/schedule';
import { scanScheduleNoun } from '@yagura/core/sonar/scan-schedules';
import { taskSchedule } from '@yagura/core/tasks/task-schedule';
import { FormScreen } from '../resource/form/form-screen.tsx';
import { screenMeta } from '../resource/screen-meta.ts';
import { toActionProblem } from '../resource/write/use-problem-toast.ts';
import { ScheduleEditor } from '../ui/input/schedule-editor.tsx';
import { useTranslation } from '../ui/translation.tsx';

const meta = screenMeta(taskSchedule);
const { displayName, disabled, oneshot, recurrence } = meta.form;
const commandFields = {
  displayName: displayName!,
  disabled: disabled!,
  oneshot: oneshot!,
  recurrence: recurrence!,
};
const formMeta = {
  ...meta,
  noun: scanScheduleNoun,
  form: { displayName: displayName!, disabled: disabled! },
};

export function ScheduleForm(props: {
  mode: 'create' | 'edit';
  command: string;
  values?: Timing;
  hidden?: Record<string, string>;
  cancelHref: string;
  refusal: unknown;
}) {
  const { t } = useTranslation();
  const errors = toActionProblem(props.refusal)?.errors ?? {};
  const timing = Object.entries(errors).filter(([name]) => /^(oneshot|recurrence)/.test(name));
  return (
    <FormScreen
      meta={formMeta}
      references={{}}
      hidden={props.hidden ?? {}}
      mode={props.mode}
      command={props.command}
      commandFields={commandFields}
      values={props.values as Record<string, unknown> | undefined}
      actionData={props.refusal}
      cancelHref={props.cancelHref}
    >
      <fieldset className="grid gap-2">
        <legend className="mb-1 text-sm font-medium">{t('sonar.schedule.when')}</legend>
        <ScheduleEditor value={props.values} />
        {timing.map(([name, reason]) => (
          <p key={name} role="alert" className="text-sm text-danger-fg">
            {reason}
          </p>
        ))}
      </fieldset>
    </FormScreen>
  );
}
