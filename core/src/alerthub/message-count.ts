import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { isTimeZone } from '../time/time-zone.ts';

const zone = () =>
  field.text(64).check((payload) => {
    if (isTimeZone(payload.value)) return;
    payload.issues.push({ code: 'custom', input: payload.value, params: { word: 'rule.timeZone' } });
  });

/** What is counted of: one receive slot or all, on whose wall clock days and months begin. */
const counted = {
  receiveSlotId: field.reference('receive-slot').optional(),
  timeZone: zone().default('UTC'),
};

const numbers = {
  /** Messages that arrived; those that are no longer kept count too. */
  received: field.count(),
  /** Those of them that at least one rule matched. */
  matched: field.count(),
};

/** `month` as yyyy-MM. */
export const monthCount = z.object({ month: field.text(7), ...numbers });
export type MonthCount = z.output<typeof monthCount>;

/** `date` as yyyy-MM-dd. */
export const dayCount = z.object({ date: field.text(10), ...numbers });
export type DayCount = z.output<typeof dayCount>;

/** How many messages arrived: without gaps, oldest first, the last one being the month or day that is not over yet. */
export const messageCount = defineResource({
  app: 'alerthub',
  name: 'message-count',
  noun: { en: ['message count', 'message counts'], ja: 'メッセージ件数' },
  path: '/api/apps/alerthub/message/count',
  id: 'receiveSlotId',
  shape: z.object({ receiveSlotId: field.uuid() }),
  verbs: [],
  columns: ['receiveSlotId'],
  permission: 'alerthub:messages',
  calls: {
    monthly: {
      method: 'GET',
      path: '/monthly',
      on: 'collection',
      permission: 'list',
      query: z.object({ ...counted, months: field.integer(1, 60).default(12) }),
      reply: monthCount,
      paged: true,
    },
    'messages-per-day': {
      method: 'GET',
      path: '/daily',
      on: 'collection',
      permission: 'list',
      query: z.object({ ...counted, days: field.integer(1, 400).default(365) }),
      reply: dayCount,
      paged: true,
    },
  },
});
