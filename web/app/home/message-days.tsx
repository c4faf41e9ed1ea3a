// Grid of daily message counts over half a year; each day links to its messages.
import type { DayCount } from '@yagura/core/alerthub/message-count';
import { localTimeToInstant } from '@yagura/core/time/zone-clock';
import { ContributionGrid } from '../ui/chart/contribution-grid.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { useTranslation } from '../ui/translation.tsx';

export function MessageDays({ days }: { days: readonly DayCount[] }) {
  const { t, timeZone } = useTranslation();
  return (
    <Panel title={t('page.messages-per-day')} padded>
      <ContributionGrid
        caption={t('page.messages-per-day')}
        days={days.map(({ date, received }) => ({ date, count: received }))}
        hrefOf={(date) =>
          `/apps/alerthub/messages?${new URLSearchParams({ filter: dayFilter(date, timeZone) })}`
        }
      />
    </Panel>
  );
}

/** Returns the filter for the messages of one day (yyyy-MM-dd) in a time zone. */
export function dayFilter(date: string, timeZone: string): string {
  return `receivedAt ge "${startOfDay(date, 0, timeZone)}" and receivedAt lt "${startOfDay(date, 1, timeZone)}"`;
}

/** Where a time zone skips midnight, the day starts at the end of the gap. */
function startOfDay(date: string, daysAhead: number, timeZone: string): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const midnight = { year, month, day: day + daysAhead, hour: 0, minute: 0, second: 0 };
  return new Date(localTimeToInstant(midnight, timeZone)).toISOString();
}
