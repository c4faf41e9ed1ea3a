import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { actionKinds } from './action.ts';
import { reason } from './decision-log.ts';

export const deliveryStatuses = ['waiting', 'processing', 'succeeded', 'failed'] as const;

/** One try to deliver: what came back, or why nothing did. */
export const attempt = z.object({
  number: field.count(),
  startedAt: field.dateTime(),
  endedAt: field.dateTime(),
  outcome: field.choice(['succeeded', 'failed'], { succeeded: 'success', failed: 'danger' }),
  /** HTTP status or SMTP reply code. */
  statusCode: field.count().nullable(),
  reason: field.withKind('json', reason),
  /** First 1,000 characters of the answer. */
  reply: z.string().nullable(),
});
export type Attempt = z.output<typeof attempt>;

export const actionRecord = defineResource({
  app: 'alerthub',
  name: 'action-record',
  noun: { en: ['action record', 'action records'], ja: 'アクション記録' },
  path: '/api/apps/alerthub/action-records',
  screen: '/apps/alerthub/action-records',
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
    /** Null, like the next two, for an action that no trigger started: a person's test, a step of a runbook. */
    scopeId: field.reference('scope').nullable(),
    triggerId: field.reference('trigger').nullable(),
    eventId: field.reference('event').nullable(),
    runbookRecordId: field.reference('runbook-record').nullable(),
    messageId: field.reference('message').nullable(),
    /** A test send. */
    drill: field.flag(),
    /** The same over all attempts, so that a receiver can drop repeats. */
    deliveryId: field.text(64),
    /** The chain of calls that an action of kind `pigeon` has started. */
    resultId: field.reference('result').nullable(),
    attempts: field.list(attempt),
    nextAttemptAt: field.dateTime().nullable(),
    /** What was sent after the templates were filled. */
    request: field.json(),
    /** Template names that had no value. */
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
    /** Tries a delivery again that was given up, under its delivery id, for another day. */
    resend: { method: 'POST', path: '/resend', on: 'item', permission: 'resend', danger: true },
  },
});
