// Mute schedules of a scope: a list, sentences with the next windows, and the windows of a month.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData, useRevalidator } from '@remix-run/react';
import { muteSchedule } from '@yagura/core/alerthub/mute-schedule';
import { formatDateTime } from '@yagura/core/format/date-time';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { muteSpanAt, upcomingMuteWindows } from '@yagura/core/schedule/mute';
import { muteSentence } from '@yagura/core/schedule/mute-sentence';
import { localTimeAt, localTimeToInstant } from '@yagura/core/time/zone-clock';
import { useEffect } from 'react';
import { preferencesOf } from '../../../preferences/preferences.server.ts';
import { listData } from '../../../resource/list/list-data.server.ts';
import { ListScreen } from '../../../resource/list/list-screen.tsx';
import { matchResource } from '../../../resource/match-resource.server.ts';
import { withApi } from '../../../signin/api.server.ts';
import { useTranslation } from '../../../ui/translation.tsx';
import { MuteCalendar } from './mute-calendar.tsx';
import { MutePeriods } from './mute-periods.tsx';

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
      timeZone: preferredTimeZone.timeZone,
      sentences: whole.items.map((mute) => {
        const next = mute.disabled ? [] : upcomingMuteWindows(mute, now, 3);
        return {
          id: mute.muteScheduleId,
          name: mute.displayName,
          text: muteSentence(mute, preferredTimeZone, t),
          next: next.map((span) => formatDateTime(span.begin, preferredTimeZone)),
          isOver: !mute.disabled && next.length === 0 && !muteSpanAt(mute, now),
        };
      }),
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

export default function ScopeMutes() {
  const { list, sentences, month, windows, timeZone } = useLoaderData<typeof loader>();
  const { timeZone: pageTimeZone } = useTranslation();
  const { revalidate } = useRevalidator();
  // The zone of the browser is known to the server only once the browser has reported it.
  useEffect(() => {
    if (timeZone !== pageTimeZone) void revalidate();
  }, [timeZone, pageTimeZone, revalidate]);
  return (
    <div className="grid grid-cols-1 gap-5">
      <ListScreen data={list} nested />
      {sentences.length > 0 && <MutePeriods sentences={sentences} timeZone={timeZone} />}
      <MuteCalendar month={month} windows={windows} timeZone={timeZone} />
    </div>
  );
}
