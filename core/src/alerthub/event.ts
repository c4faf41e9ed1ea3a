import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import {
  acknowledgementNote,
  defaultSeverityName,
  scopeStatuses,
  scopeStatusTones,
  severityName,
} from './scope-status.ts';

/** What raised an event that no rule raised. */
export const eventCause = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['person', 'api-token']),
    userId: z.string(),
    /** Name of the user, or of the owner of the API token, at that time. */
    name: z.string(),
    apiTokenId: z.string().optional(),
  }),
  z.object({
    kind: z.literal('recovery'),
    /** Seconds without a report of a problem after which the scope recovered. */
    recoveryTime: z.number(),
  }),
  z.object({
    kind: z.literal('runbook'),
    runbookRecordId: z.string(),
    runbookName: z.string(),
    stepName: z.string(),
  }),
]);
export type EventCause = z.output<typeof eventCause>;

/** A user who acknowledged the scope, or a callee who pressed a key that acknowledges the event. */
export const eventAcknowledgement = z.object({
  /** Name of the user or the contact at that time. */
  name: field.text(),
  /** Null for a callee. */
  userId: field.reference('user').nullable(),
  note: acknowledgementNote(),
  /** These three are null for a user. */
  contactId: field.reference('contact').nullable(),
  resultId: field.reference('result').nullable(),
  keyInput: field.text(1).nullable(),
  acknowledgedAt: field.dateTime(),
});
export type EventAcknowledgement = z.output<typeof eventAcknowledgement>;

/** Source of an event: a rule, an API caller, the recovery timer, a reset by a user, or a runbook step. */
export const eventSources = ['rule', 'api', 'recovery', 'reset', 'runbook'] as const;

export const event = defineResource({
  app: 'alerthub',
  name: 'event',
  noun: { en: ['event', 'events'], ja: 'イベント' },
  path: '/api/apps/alerthub/scopes/{scopeId}/events',
  screen: '/apps/alerthub/events',
  listPage: 'none',
  id: 'eventId',
  parent: 'scope',
  shape: z.object({
    eventId: field.uuid(),
    scopeId: field.reference('scope'),
    severityName: severityName(),
    /** The requested change; the value itself never goes below 0. */
    delta: field.integer(-1_000_000, 1_000_000),
    previousSeverity: field.integer(0, 1_000_000),
    severity: field.integer(0, 1_000_000),
    /** Status of the scope after the event. */
    status: field.choice(scopeStatuses, scopeStatusTones),
    source: field.choice(eventSources),
    ruleId: field.reference('rule').nullable(),
    messageId: field.reference('message').nullable(),
    /** In the order in which they were made. */
    acknowledgements: field.list(eventAcknowledgement),
    createdAt: field.dateTime(),
  }),
  input: z.object({
    severityName: severityName().default(defaultSeverityName),
    delta: field.integer(-1000, 1000),
  }),
  verbs: ['list', 'show', 'create'],
  columns: [
    'createdAt',
    'status',
    'severityName',
    'delta',
    'previousSeverity',
    'severity',
    'source',
    'ruleId',
    'messageId',
  ],
  detail: [
    'scopeId',
    'createdAt',
    'status',
    'severityName',
    'delta',
    'previousSeverity',
    'severity',
    'source',
    'ruleId',
    'messageId',
    'acknowledgements',
  ],
  defaultSort: '-createdAt',
  time: 'createdAt',
  permission: 'alerthub:events',
});
