import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { actionKinds } from './action.ts';
import { reason } from './decision-log.ts';

export const deliveryStatuses = ['waiting', 'processing', 'succeeded', 'failed'] as const;

/** One delivery attempt: the reply, or the reason for the failure. */
export const attempt = z.object({
  number: field.count(),
  startedAt: field.dateTime(),
  endedAt: field.dateTime(),
  outcome: field.choice(['succeeded', 'failed'], { succeeded: 'success', failed: 'danger' }),
  /** HTTP status or SMTP reply code. */
  statusCode: field.count().nullable(),
  reason: field.withKind('json', reason),
  /** First 1,000 characters of the reply body. */
  reply: z.string().nullable(),
});
export type Attempt = z.output<typeof attempt>;

export const actionRecord = defineResource({
  app: 'alerthub',
  name: 'action-record',
  noun: { en: ['action record', 'action records'], ja: 'アクション記録' },
  path: '/api/apps/alerthub/action-records',
  screen: '/apps/alerthub/action-records',
  listPage: 'none',
  id: 'actionRecordId',
  shape: z.object({
    actionRecordId: field.uuid(),
    actionId: field.reference('action'),
    kind: field.choice(actionKinds),
    status: field.choice(deliveryStatuses, {
      waiting: 'neutral',
      processing: 'progress',
      succeeded: 'success',
      failed: 'danger',
    }),
    /**
     * Null, like the next two, for an action that was not started by a trigger, e.g. a test by a user or a
     * runbook step.
     */
    scopeId: field.reference('scope').nullable(),
    triggerId: field.reference('trigger').nullable(),
    eventId: field.reference('event').nullable(),
    runbookRecordId: field.reference('runbook-record').nullable(),
    messageId: field.reference('message').nullable(),
    /** True for a test delivery. */
    drill: field.flag(),
    /** Same for all attempts, so that a receiver can drop duplicates. */
    deliveryId: field.text(64),
    /** The call chain started by an action of kind `pigeon`. */
    resultId: field.reference('result').nullable(),
    attempts: field.list(attempt),
    nextAttemptAt: field.dateTime().nullable(),
    /** The request as sent, with its templates rendered. */
    request: field.json(),
    /** Template variables without a value. */
    missing: field.list(z.string()),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  verbs: ['list', 'show'],
  columns: ['createdAt', 'status', 'actionId', 'kind', 'scopeId', 'triggerId', 'nextAttemptAt'],
  detail: [
    'status',
    'actionId',
    'kind',
    'scopeId',
    'triggerId',
    'eventId',
    'messageId',
    'drill',
    'runbookRecordId',
    'deliveryId',
    'resultId',
    'missing',
    'nextAttemptAt',
    'createdAt',
    'updatedAt',
  ],
  time: 'createdAt',
  permission: 'alerthub:action-records',
  calls: {
    /** Retries a permanently failed delivery for another day, with the same delivery id. */
    resend: { method: 'POST', path: '/resend', on: 'item', permission: 'resend', danger: true },
  },
});
