// Message counts by day and by month.
import { messageCount } from '@yagura/core/alerthub/message-count';
import type { Page } from '@yagura/core/http/page';
import { type LocalTime, localTimeAt, localTimeToInstant } from '@yagura/core/time/zone-clock';
import { isoTime } from '../../common/clock.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { readListQuery } from '../../resource/list/list-query.ts';
import type { RequestContext } from '../../resource/request-context.ts';

interface CountFilter {
  receiveSlotId?: string | undefined;
  timeZone: string;
}

export const messageCountBehaviour: Behaviour<typeof messageCount> = {
  resource: messageCount,
  calls: {
    async monthly(context, given) {
      const { months, ...asked } = given;
      const starts = listPeriods(context, asked.timeZone, months, (local, back) => ({
        ...local,
        day: 1,
        month: local.month - back,
      }));
      const counts = await countPeriods(context, asked, starts);
      return toPage(
        context,
        counts.map(({ date, ...count }) => ({ month: date.slice(0, 7), ...count })),
      );
    },
    async 'messages-per-day'(context, given) {
      const { days, ...asked } = given;
      const starts = listPeriods(context, asked.timeZone, days, (local, back) => ({
        ...local,
        day: local.day - back,
      }));
      return toPage(context, await countPeriods(context, asked, starts));
    },
  },
};

/** Starts of the last `count` periods in local time, oldest first, with their local dates. */
function listPeriods(
  { services }: RequestContext,
  timeZone: string,
  count: number,
  stepBack: (local: LocalTime, back: number) => LocalTime,
): { date: string; begin: string }[] {
  const today = { ...localTimeAt(services.clock.now(), timeZone), hour: 0, minute: 0, second: 0 };
  return Array.from({ length: count }, (_, index) => {
    const local = stepBack(today, count - 1 - index);
    const date = new Date(Date.UTC(local.year, local.month - 1, local.day)).toISOString().slice(0, 10);
    const [year, month, day] = date.split('-').map(Number) as [number, number, number];
    return { date, begin: isoTime(localTimeToInstant({ ...local, year, month, day }, timeZone)) };
  });
}

async function countPeriods(
  { services, spaceId }: RequestContext,
  { receiveSlotId }: CountFilter,
  starts: readonly { date: string; begin: string }[],
) {
  const { rows } = await services.database.query<{ period: number; received: number; matched: number }>(
    {
      name: receiveSlotId ? 'count-slot-periods' : 'count-periods',
      text: `select width_bucket(hour, $2::timestamptz[]) as period, sum(received)::int as received,
               sum(matched)::int as matched
             from message_count where space_id = $1 and hour >= ($2::timestamptz[])[1]
             ${receiveSlotId ? 'and receive_slot_id = $3' : ''} group by 1`,
    },
    [spaceId, starts.map(({ begin }) => begin), ...(receiveSlotId ? [receiveSlotId] : [])],
  );
  const found = new Map(rows.map(({ period, ...count }) => [period, count]));
  return starts.map(({ date }, index) => ({
    date,
    ...(found.get(index + 1) ?? { received: 0, matched: 0 }),
  }));
}

/** Returns one page; all items unless the caller sets a limit. */
function toPage<T>({ query, t }: RequestContext, items: readonly T[]): Page<T> {
  const { limit, offset } = readListQuery(messageCount, { limit: query.limit, offset: query.offset }, t);
  const max = query.limit ? limit : items.length;
  return { items: items.slice(offset, offset + max), total: items.length, limit: max, offset };
}
