// Grid of daily message counts; each day links to its messages.
import type { DayCount } from '@yagura/core/alerthub/message-count';
import { localTimeToInstant } from '@yagura/core/time/zone-clock';
import { useEffect, useRef } from 'react';
import { ContributionGrid } from '../../ui/chart/contribution-grid.tsx';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { useTranslation } from '../../ui/translation.tsx';

/**
 * `days` is the response of the call `messages-per-day` in the page's time zone, limited to one slot if its
 * id is given.
 */
export function MessageGrid(props: { days: readonly DayCount[]; receiveSlotId?: string }) {
  const { t, timeZone } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Scroll to the latest days when the grid is wider than the page.
    const grid = box.current?.firstElementChild;
    if (grid) grid.scrollLeft = grid.scrollWidth;
  }, []);
  if (props.days.every(({ received }) => received === 0)) return <Placeholder title={t('count.none')} />;
  return (
    // Screen-reader-only text is positioned absolutely and would otherwise widen the page.
    <div ref={box} className="relative overflow-hidden [&_th]:whitespace-nowrap">
      <ContributionGrid
        caption={t('count.per-day')}
        days={props.days.map(({ date, received }) => ({ date, count: received }))}
        hrefOf={(date) => messagesHref(date, timeZone, props.receiveSlotId)}
      />
    </div>
  );
}

/** Returns the URL of the message list of one day. */
function messagesHref(date: string, timeZone: string, receiveSlotId: string | undefined): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const midnight = (offset: number) => {
    const local = { year, month, day: day + offset, hour: 0, minute: 0, second: 0 };
    return new Date(localTimeToInstant(local, timeZone)).toISOString();
  };
  const parts = [`receivedAt ge "${midnight(0)}"`, `receivedAt lt "${midnight(1)}"`];
  if (receiveSlotId) parts.push(`receiveSlotId eq "${receiveSlotId}"`);
  return `/apps/alerthub/messages?${new URLSearchParams({ filter: parts.join(' and ') })}`;
}
