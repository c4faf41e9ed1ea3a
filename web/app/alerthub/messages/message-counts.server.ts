// Fetches message counts in the page's time zone.
import { type DayCount, type MonthCount, messageCount } from '@yagura/core/alerthub/message-count';
import type { Page } from '@yagura/core/http/page';
import { preferencesOf } from '../../preferences/preferences.server.ts';
import type { Api } from '../../signin/api.server.ts';

/** Counts of the last `days` days, oldest first; limited to one receive slot if its id is given. */
export async function messagesPerDay(
  api: Api,
  request: Request,
  days: number,
  receiveSlotId?: string,
): Promise<DayCount[]> {
  const query = { days, receiveSlotId, timeZone: pageTimeZone(request) };
  return (await api.client(messageCount).call<Page<DayCount>>('messages-per-day', { query })).items;
}

/** Counts of the last `months` months, oldest first; limited to one receive slot if its id is given. */
export async function messagesPerMonth(
  api: Api,
  request: Request,
  months: number,
  receiveSlotId?: string,
): Promise<MonthCount[]> {
  const query = { months, receiveSlotId, timeZone: pageTimeZone(request) };
  return (await api.client(messageCount).call<Page<MonthCount>>('monthly', { query })).items;
}

function pageTimeZone(request: Request): string | undefined {
  return preferencesOf(request).timeZone ?? undefined;
}
