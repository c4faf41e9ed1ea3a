// Grid of daily message counts over half a year; each day links to its messages.
import type { DayCount } from '@yagura/core/alerthub/message-count';
import { parseFieldDateTime } from '@yagura/core/format/date-time';
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
  const next = new Date(Date.parse(`${date}T00:00:00Z`) + 24 * 3600 * 1000).toISOString().slice(0, 10);
  return `receivedAt ge "${startOfDay(date, timeZone)}" and receivedAt lt "${startOfDay(next, timeZone)}"`;
}

/** A time zone may skip midnight; the day then starts at most one hour late. */
function startOfDay(date: string, timeZone: string): string {
  const day = date.replaceAll('-', '/');
  return (
    parseFieldDateTime(`${day} 00:00`, timeZone) ??
    parseFieldDateTime(`${day} 01:00`, timeZone) ??
    `${date}T00:00:00Z`
  );
}
