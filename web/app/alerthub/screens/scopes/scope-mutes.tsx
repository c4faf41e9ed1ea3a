// Mute schedules of a scope: sentences with the next window, and a month as a calendar and as an equivalent
// list.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { muteSchedule } from '@yagura/core/alerthub/mute-schedule';
import { formatDateTime, formatMonth } from '@yagura/core/format/date-time';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { upcomingMuteWindows } from '@yagura/core/schedule/mute';
import { muteSentence } from '@yagura/core/schedule/mute-sentence';
import { localTimeAt, localTimeToInstant } from '@yagura/core/time/zone-clock';
import { preferencesOf } from '../../../preferences/preferences.server.ts';
import { listData } from '../../../resource/list/list-data.server.ts';
import { ListScreen } from '../../../resource/list/list-screen.tsx';
import { matchResource } from '../../../resource/match-resource.server.ts';
import { withApi } from '../../../signin/api.server.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { useTranslation } from '../../../ui/translation.tsx';

const dayMs = 86_400_000;
/** Maximum windows of one schedule per month; an hourly schedule has 744 in 31 days. */
const maxWindows = 800;
const maxListed = 100;

export async function loader(args: LoaderFunctionArgs) {
  const url = new URL(args.request.url);
  const match = matchResource(url.pathname);
  const { language, timeZone } = preferencesOf(args.request);
  const preferredTimeZone = { language, timeZone: timeZone ?? 'UTC' };
  const now = Date.now();
  return withApi(args, async (api) => {
    const scopeId = args.params.scopeId!;
    const [list, whole, t] = await Promise.all([
      listData(api, { ...match, searchParams: url.searchParams }),
      api.client(muteSchedule).list({ limit: 1000 }, { scopeId }),
      loadTranslator(language),
    ]);
    const month = resolveMonth(url.searchParams.get('month'), now, preferredTimeZone.timeZone);
    const windows = whole.items
      .filter((mute) => !mute.disabled)
      .flatMap((mute) => {
        const length = Date.parse(mute.endAt) - Date.parse(mute.beginAt);
        return upcomingMuteWindows(mute, month.begin - length, maxWindows)
          .filter((span) => span.begin < month.end)
          .map((span) => ({ ...span, name: mute.displayName }));
      })
      .sort((one, other) => one.begin - other.begin);
    return {
      list,
      sentences: whole.items.map((mute) => ({
        id: mute.muteScheduleId,
        name: mute.displayName,
        text: muteSentence(mute, preferredTimeZone, t),
        next: mute.disabled
          ? []
          : upcomingMuteWindows(mute, now, 3).map((span) => formatDateTime(span.begin, preferredTimeZone)),
      })),
      month: {
        ...month,
        days: month.days.map((day) => ({
          ...day,
          names: [
            ...new Set(
              windows.filter((span) => span.begin < day.end && span.end > day.begin).map((span) => span.name),
            ),
          ],
        })),
      },
      windows: windows.slice(0, maxListed).map(({ begin, end, name }) => ({
        name,
        from: formatDateTime(begin, preferredTimeZone),
        to: formatDateTime(end, preferredTimeZone),
      })),
      watches: ['mute-schedule'],
    };
  });
}

/** Returns the days of a month (`YYYY-MM`, default the current one) in the viewer's time zone. */
function resolveMonth(requested: string | null, now: number, zone: string) {
  const today = localTimeAt(now, zone);
  const parsed = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(requested ?? '');
  const [year, month] = parsed ? [Number(parsed[1]), Number(parsed[2])] : [today.year, today.month];
  const startOfDay = (day: number) => {
    const date = new Date(Date.UTC(year, month - 1, day));
    const local = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
    return localTimeToInstant({ ...local, hour: 0, minute: 0, second: 0 }, zone);
  };
  const count = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const name = (offset: number) => new Date(Date.UTC(year, month - 1 + offset, 1)).toISOString().slice(0, 7);
  return {
    name: name(0),
    before: name(-1),
    after: name(1),
    begin: startOfDay(1),
    end: startOfDay(count + 1),
    /** Empty cells before the first day; weeks start on Monday. */
    lead: (Math.floor(Date.UTC(year, month - 1, 1) / dayMs) + 3) % 7,
    days: Array.from({ length: count }, (_, index) => ({
      day: index + 1,
      begin: startOfDay(index + 1),
      end: startOfDay(index + 2),
    })),
  };
}

const weekDayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export default function ScopeMutes() {
  const { list, sentences, month, windows } = useLoaderData<typeof loader>();
  const { t, language } = useTranslation();
  return (
    <div className="grid gap-5">
      <ListScreen data={list} nested />
      {sentences.length > 0 && (
        <Panel title={t('mute.when')} padded>
          <ul className="grid gap-2 text-sm">
            {sentences.map((mute) => (
              <li key={mute.id}>
                <span className="font-medium">{mute.name}</span>: {mute.text}
                {mute.next.length > 0 && (
                  <span className="text-muted">
                    {' '}
                    {t('mute.next')}: {mute.next.join(' · ')}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Panel
        title={t('mute.calendar')}
        note={<span className="text-sm text-muted">{formatMonth(month.name, language)}</span>}
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
    </div>
  );
}
