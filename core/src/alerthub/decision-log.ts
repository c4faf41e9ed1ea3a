// Schema of the decision log: what every rule, event, trigger and delivery decided for one message, and why.
import { z } from 'zod';
import * as field from '../resource/field.ts';
import { eventAcknowledgement, eventCause, eventSources } from './event.ts';
import { muteEnds } from './mute-schedule.ts';
import { slotAddresses } from './receive-slot.ts';
import { scopeStatuses, severityName } from './scope-status.ts';

/** A displayable reason: a message key (`why.*`, `delivery.*`) and its parameters. */
export const reason = z.object({ word: z.string(), params: z.record(z.string(), z.unknown()).optional() });
export type Reason = z.output<typeof reason>;

/** Input and outcome of one operator step. */
export const stepDecision = z.object({
  operatorId: z.string(),
  outcome: z.enum(['passed', 'stopped', 'failed']),
  /** The step's input value, shortened to 200 characters. */
  seen: z.string().nullable(),
  reason,
});
export type StepDecision = z.output<typeof stepDecision>;

/** Result of a rule for one element of a list in the message. */
export const elementDecision = z.object({
  index: z.number(),
  /** The element, shortened to 200 characters. */
  text: z.string().nullable(),
  outcome: z.enum(['matched', 'unmatched', 'failed']),
  /** The step that stopped or failed, and its position from 1. */
  step: stepDecision.extend({ number: z.number() }).optional(),
  notes: z.array(reason),
  /** The events that it raised. */
  eventIds: z.array(z.string()),
});
export type ElementDecision = z.output<typeof elementDecision>;

export const ruleDecision = z.object({
  ruleId: z.string(),
  displayName: z.string(),
  outcome: z.enum(['matched', 'unmatched', 'failed', 'disabled']),
  steps: z.array(stepDecision),
  /** Why events of a matching rule were not raised, e.g. because the scope was deleted. */
  notes: z.array(reason),
  /** Only for a rule that is evaluated for each element of a list; `steps` is then empty. */
  elements: z.array(elementDecision).optional(),
});
export type RuleDecision = z.output<typeof ruleDecision>;

export const conditionDecision = z.object({
  conditionId: z.string(),
  /** False until it has been evaluated. */
  holds: z.boolean(),
  seen: z.string().nullable(),
  reason,
  /** When a delayed condition will be evaluated. */
  dueAt: z.string().optional(),
  /** When it was evaluated, if not at the time of the event. */
  askedAt: z.string().optional(),
});
export type ConditionDecision = z.output<typeof conditionDecision>;

/** A mute schedule that holds a trigger back, and until when. */
export const activeMute = z.object({
  muteScheduleId: z.string(),
  displayName: z.string(),
  atEnd: z.enum(muteEnds),
  until: z.string(),
  /** Names of silent schedules that were active as well: one that fires at its end takes precedence. */
  overrules: z.array(z.string()).optional(),
});
export type ActiveMute = z.output<typeof activeMute>;

/**
 * `muted`: it would have fired, but a mute schedule held it back. `waiting`: some of its conditions are
 * evaluated later.
 */
export const triggerDecision = z.object({
  triggerId: z.string(),
  displayName: z.string(),
  outcome: z.enum(['fired', 'held', 'failed', 'disabled', 'muted', 'waiting']),
  conditions: z.array(conditionDecision),
  notes: z.array(reason),
  actionId: z.string().nullable(),
  actionRecordId: z.string().nullable(),
  /** For a trigger whose target is a runbook. */
  runbookId: z.string().optional(),
  runbookRecordId: z.string().optional(),
  /** The mute schedules that held it back, in order. */
  mutes: z.array(activeMute).optional(),
  /** When the trigger was evaluated again after a mute schedule had ended. */
  releasedAt: z.string().optional(),
});
export type TriggerDecision = z.output<typeof triggerDecision>;

export const eventDecision = z.object({
  eventId: z.string(),
  scopeId: z.string(),
  scopeName: z.string().nullable(),
  severityName: severityName(),
  delta: z.number(),
  previousSeverity: z.number(),
  severity: z.number(),
  statusBefore: z.enum(scopeStatuses),
  statusAfter: z.enum(scopeStatuses),
  ruleId: z.string().nullable(),
  triggers: z.array(triggerDecision),
});
export type EventDecision = z.output<typeof eventDecision>;

const deliveryDecision = z.object({
  actionRecordId: z.string(),
  actionId: z.string(),
  actionName: z.string().nullable(),
  kind: z.string(),
  status: z.enum(['waiting', 'processing', 'succeeded', 'failed']),
  deliveryId: z.string(),
  /** The call chain that it started. */
  resultId: z.string().nullable(),
  attempts: z.array(z.object({ startedAt: z.string(), outcome: z.enum(['succeeded', 'failed']), reason })),
  nextAttemptAt: z.string().nullable(),
});
export type DeliveryDecision = z.output<typeof deliveryDecision>;

export const decisionLog = z.object({
  messageId: field.uuid(),
  receivedAt: field.dateTime(),
  receiveSlotId: field.uuid(),
  receiveSlotName: z.string().nullable(),
  evaluatedAt: field.dateTime().nullable(),
  /** When and where it arrived again for the first time; a repeat is recognized as one and not stored. */
  repeated: z.object({ address: z.enum(slotAddresses), at: field.dateTime() }).nullable(),
  /** Set if nothing was evaluated, e.g. because no rule is bound to the slot. */
  notes: z.array(reason),
  rules: z.array(ruleDecision),
  events: z.array(eventDecision),
  deliveries: z.array(deliveryDecision),
});
export type DecisionLog = z.output<typeof decisionLog>;

/** Why an event was raised, and what it caused. */
export const eventExplanation = z.object({
  event: eventDecision,
  createdAt: field.dateTime(),
  source: z.enum(eventSources),
  /** Null for an event of a rule, and for one raised before causes were recorded. */
  cause: eventCause.nullable(),
  /** Null without a message, once it has been deleted, and for callers who may not read messages. */
  message: decisionLog
    .pick({ messageId: true, receiveSlotId: true, receiveSlotName: true, receivedAt: true })
    .nullable(),
  /** The rule that raised the event, with no elements but its own; null in the cases of `message`. */
  rule: ruleDecision.nullable(),
  acknowledgements: z.array(eventAcknowledgement),
  /** Null for callers who may not read action records. */
  deliveries: z.array(deliveryDecision).nullable(),
});
export type EventExplanation = z.output<typeof eventExplanation>;
