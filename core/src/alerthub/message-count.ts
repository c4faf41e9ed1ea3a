import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { isTimeZone } from '../time/time-zone.ts';

const zone = () =>
  field.text(64).check((payload) => {
    if (isTimeZone(payload.value)) return;
    payload.issues.push({ code: 'custom', input: payload.value, params: { word: 'rule.timeZone' } });
  });

/** Scope of the counts: one receive slot or all, and the time zone of days and months. */
const counted = {
  receiveSlotId: field.reference('receive-slot').optional(),
  timeZone: zone().default('UTC'),
};

const numbers = {
  /** Received messages, including those deleted since. */
  received: field.count(),
  /** Received messages that at least one rule matched. */
  matched: field.count(),
};

/** `month` as yyyy-MM. */
export const monthCount = z.object({ month: field.text(7), ...numbers });
export type MonthCount = z.output<typeof monthCount>;

/** `date` as yyyy-MM-dd. */
export const dayCount = z.object({ date: field.text(10), ...numbers });
export type DayCount = z.output<typeof dayCount>;

/** Number of messages received per month or day: no gaps, oldest first, ending with the current one. */
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
