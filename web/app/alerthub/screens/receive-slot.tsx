// A receive slot: its addresses, and how much arrives at them.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemScreen } from '../../resource/item-screen.tsx';
import { resourceAt } from '../../resource/place.server.ts';
import { removeAt } from '../../resource/write.server.ts';
import { Panel } from '../../shell/panel.tsx';
import { screen } from '../../signin/api.server.ts';
import { useWords } from '../../ui/words.tsx';
import { messagesPerDay, messagesPerMonth } from '../message-counts.server.ts';
import { MessageGrid } from '../message-grid.tsx';
import { MonthCounts } from '../month-counts.tsx';

/** A year of weeks, so that the grid is a whole one. */
const days = 53 * 7;
const months = 12;

export async function loader(args: LoaderFunctionArgs) {
  const placed = resourceAt(new URL(args.request.url).pathname);
  const receiveSlotId = args.params.receiveSlotId!;
  return screen(args, async (api) => {
    const data = await itemData(api, placed);
    // Who may not list messages sees the slot all the same.
    const counts = await Promise.all([
      messagesPerDay(api, args.request, days, receiveSlotId),
      messagesPerMonth(api, args.request, months, receiveSlotId),
    ]).catch(() => null);
    return { ...data, perDay: counts?.[0] ?? null, perMonth: counts?.[1] ?? null };
  });
}

export const action = removeAt;

export default function ReceiveSlot() {
  const data = useLoaderData<typeof loader>();
  const { t, language } = useWords();
  const id = String(data.item.receiveSlotId);
  const total = data.perMonth?.reduce((sum, { received }) => sum + received, 0) ?? 0;
  return (
    <ItemScreen key={id} data={data}>
      <div className="mt-5 grid grid-cols-1 gap-5">
        {data.perDay && (
          <Panel title={t('count.per-day')} padded>
            <MessageGrid days={data.perDay} receiveSlotId={id} />
          </Panel>
        )}
        {data.perMonth && (
          <Panel
            title={t('count.per-month')}
            note={
              <span className="text-sm text-muted">
                {t('count.total', { count: total.toLocaleString(language) })}
              </span>
            }
            padded
          >
            <MonthCounts months={data.perMonth} />
          </Panel>
        )}
      </div>
    </ItemScreen>
  );
}
