// How many messages arrived on each day, as a grid whose days lead to their messages.
import type { DayCount } from '@yagura/core/alerthub/message-count';
import { localTimeToInstant } from '@yagura/core/time/zone-clock';
import { useEffect, useRef } from 'react';
import { ContributionGrid } from '../../ui/chart/contribution-grid.tsx';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { useTranslation } from '../../ui/translation.tsx';

/** `days` as the call `messages-per-day` gives them for the page's time zone; of one slot when its id is given. */
export function MessageGrid(props: { days: readonly DayCount[]; receiveSlotId?: string }) {
  const { t, timeZone } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The latest days count most, and stand at the end of what may be wider than the page.
    const grid = box.current?.firstElementChild;
    if (grid) grid.scrollLeft = grid.scrollWidth;
  }, []);
  if (props.days.every(({ received }) => received === 0)) return <Placeholder title={t('count.none')} />;
  return (
    // What is for screen readers alone is placed absolutely, and would else widen the page.
    <div ref={box} className="relative overflow-hidden [&_th]:whitespace-nowrap">
      <ContributionGrid
        caption={t('count.per-day')}
        days={props.days.map(({ date, received }) => ({ date, count: received }))}
        hrefOf={(date) => messagesHref(date, timeZone, props.receiveSlotId)}
      />
    </div>
  );
}

/** The list of the messages of one day. */
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
