// The quiet hours of a callflow, one line for each window.
import type { QuietHours } from '@yagura/core/schedule/quiet-hours';
import { weekDays } from '@yagura/core/time/week-day';
import { useTranslation } from '../ui/translation.tsx';

export function QuietHoursText({ hours: { windows, timeZone } }: { hours: QuietHours }) {
  const { t } = useTranslation();
  return (
    <ul className="grid gap-1">
      {windows.map((window, index) => (
        <li key={index}>
          {weekDays
            .filter((day) => window.weekDays.includes(day))
            .map((day) => t(`schedule.dayShort.${day}`))
            .join(t('schedule.list.comma'))}{' '}
          <span className="tabular-nums">
            {window.startTime}–{window.endTime}
          </span>{' '}
          <span className="text-muted">{timeZone}</span>
        </li>
      ))}
    </ul>
  );
}
