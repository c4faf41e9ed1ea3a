// The muted windows of a month: as a calendar, and as an equivalent list.
import { formatMonth } from '@yagura/core/format/date-time';
import { LinkButton } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { useTranslation } from '../../../ui/translation.tsx';

export interface MuteMonth {
  /** `YYYY-MM`, as the next two. */
  name: string;
  before: string;
  after: string;
  /** Empty cells before the first day. */
  lead: number;
  /** Days with the names of the schedules that are active on them. */
  days: { day: number; names: string[] }[];
}

const weekDayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** `timeZone` is that of the days and of the windows. */
export function MuteCalendar(props: {
  month: MuteMonth;
  windows: { name: string; from: string; to: string }[];
  timeZone: string;
}) {
  const { month, windows, timeZone } = props;
  const { t, language } = useTranslation();
  return (
    <Panel
      title={t('mute.calendar')}
      note={
        <span className="text-sm text-muted">
          {formatMonth(month.name, language)} · {timeZone}
        </span>
      }
      padded
      actions={
        <>
          <LinkButton to={`?month=${month.before}`} size="small" preventScrollReset>
            {t('mute.before')}
          </LinkButton>
          <LinkButton to={`?month=${month.after}`} size="small" preventScrollReset>
            {t('mute.after')}
          </LinkButton>
        </>
      }
    >
      <div className="grid gap-4">
        <div
          className="grid grid-cols-7 gap-px overflow-hidden rounded-md border border-line bg-line text-xs max-sm:hidden"
          aria-hidden="true"
        >
          {weekDayNames.map((day) => (
            <div key={day} className="bg-surface px-2 py-1 text-muted">
              {t(`schedule.day.${day}`)}
            </div>
          ))}
          {Array.from({ length: month.lead }, (_, index) => (
            <div key={index} className="bg-surface-sunken" />
          ))}
          {month.days.map((day) => (
            <div key={day.day} className="min-h-16 bg-surface px-2 py-1">
              <div className="text-muted tabular-nums">{day.day}</div>
              {day.names.slice(0, 3).map((name) => (
                <div key={name} className="truncate rounded bg-hover px-1">
                  {name}
                </div>
              ))}
              {day.names.length > 3 && <div className="text-muted">+{day.names.length - 3}</div>}
            </div>
          ))}
          {Array.from({ length: (7 - ((month.lead + month.days.length) % 7)) % 7 }, (_, index) => (
            <div key={index} className="bg-surface-sunken" />
          ))}
        </div>
        {windows.length === 0 ? (
          <p className="text-sm text-muted">{t('mute.none-in-month')}</p>
        ) : (
          <table className="w-full text-sm">
            <caption className="sr-only">{t('mute.calendar')}</caption>
            <thead>
              <tr className="border-b border-line text-left text-xs text-muted">
                <th scope="col" className="py-1 font-medium">
                  {t('label.displayName')}
                </th>
                <th scope="col" className="py-1 font-medium">
                  {t('label.beginAt')}
                </th>
                <th scope="col" className="py-1 font-medium">
                  {t('label.endAt')}
                </th>
              </tr>
            </thead>
            <tbody>
              {windows.map((span, index) => (
                <tr key={index} className="border-b border-line last:border-0">
                  <td className="py-1">{span.name}</td>
                  <td className="py-1 tabular-nums">{span.from}</td>
                  <td className="py-1 tabular-nums">{span.to}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Panel>
  );
}
