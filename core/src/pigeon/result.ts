import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { behaviors, resultStatuses } from './call-constants.ts';
import { callEvent, maxCallEvents } from './call-event.ts';

export const callStatuses = [
  'preparing',
  'calling',
  'aborting',
  'succeeded',
  'missed',
  'aborted',
  'failed',
] as const;
export type CallStatus = (typeof callStatuses)[number];

/** Type of the telephone line; `simulator` places no real calls. */
export const lineKinds = ['simulator', 'webhook', 'sip'] as const;
export type LineKind = (typeof lineKinds)[number];

/** Source of the request. */
export const resultSources = ['api', 'trigger'] as const;

/** Why a call or a chain ended, if its status is not specific enough. */
export const callReasons = [
  'noAnswer',
  'noInput',
  'busy',
  'unreachable',
  'noPhone',
  'interrupted',
  'lineFailed',
  'rejected',
  'wrongNumber',
  'rateLimited',
  'trunkAway',
  'notAllowed',
  'transferBusy',
  'transferNoAnswer',
  'transferFailed',
] as const;
export type CallReason = (typeof callReasons)[number];
export const chainReasons = [
  'terminated',
  'transferred',
  'transferMissed',
  'transferFailed',
  'loopsExhausted',
  'everybodyLeft',
  'abortAsked',
  'noLine',
  'unforeseen',
] as const;
export type ChainReason = (typeof chainReasons)[number];

/** One call of a chain. */
export const callRecord = z.object({
  callId: field.uuid(),
  loop: field.count(),
  contact: field.object({
    contactId: field.reference('contact').nullable(),
    displayName: field.text(),
  }),
  phoneNumber: field.text(64),
  status: field.choice(callStatuses, {
    preparing: 'progress',
    calling: 'progress',
    aborting: 'warning',
    succeeded: 'success',
    missed: 'warning',
    aborted: 'neutral',
    failed: 'danger',
  }),
  /** True for the callback that connects the callee to the transfer destination. */
  transfer: field.flag(),
  /** The last key pressed, even if it has no meaning. */
  keyInput: field.text(1).nullable(),
  behavior: field.choice(behaviors).nullable(),
  /** Number of times the message was read. */
  readings: field.count(),
  reason: field.choice(callReasons).nullable(),
  startedAt: field.dateTime(),
  answeredAt: field.dateTime().nullable(),
  endedAt: field.dateTime().nullable(),
  /** What happened in the call; empty for calls of earlier versions. */
  script: field.list(callEvent, maxCallEvents),
});
export type CallRecord = z.output<typeof callRecord>;

export const result = defineResource({
  app: 'pigeon',
  name: 'result',
  noun: { en: ['call result', 'call results'], ja: '通話結果' },
  path: '/api/apps/pigeon/results',
  screen: '/apps/pigeon/results',
  id: 'resultId',
  shape: z.object({
    resultId: field.uuid(),
    status: field.choice(resultStatuses, {
      waiting: 'neutral',
      preparing: 'progress',
      processing: 'progress',
      aborting: 'warning',
      succeeded: 'success',
      aborted: 'neutral',
      failed: 'danger',
    }),
    reason: field.choice(chainReasons).nullable(),
    /** As of the time the chain was requested; ids are null for an inline one. */
    callflow: field.object({
      callflowId: field.reference('callflow').nullable(),
      displayName: field.text(),
      loopLimit: field.count(),
    }),
    guidance: field.object({
      guidanceId: field.reference('guidance').nullable(),
      displayName: field.text(),
      messageTemplate: field.template(),
    }),
    /** Names only, for lists. */
    callflowName: field.text(),
    guidanceName: field.text(),
    parameters: field.json(),
    /** The message as read: the rendered template. */
    message: field.longText(),
    line: field.choice(lineKinds),
    source: field.choice(resultSources),
    /**
     * The AlertHub action that requested the chain and what it was about; null for other sources, and once it has
     * been deleted.
     */
    actionRecordId: field.reference('action-record').nullable(),
    scopeId: field.reference('scope').nullable(),
    eventId: field.reference('event').nullable(),
    messageId: field.reference('message').nullable(),
    runbookRecordId: field.reference('runbook-record').nullable(),
    /** The current loop, from 1; 0 before the first call. */
    loop: field.count(),
    numberOfCalls: field.count(),
    /** The key that ended the chain. */
    keyInput: field.text(1).nullable(),
    /** Detail view only, in the order in which they were made. */
    calls: field.list(callRecord, 100_000).optional(),
    startedAt: field.dateTime().nullable(),
    endedAt: field.dateTime().nullable(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  verbs: ['list', 'show'],
  columns: [
    'createdAt',
    'status',
    'callflowName',
    'guidanceName',
    'keyInput',
    'loop',
    'numberOfCalls',
    'line',
    'reason',
    'source',
    'endedAt',
  ],
  detail: [
    'status',
    'reason',
    'callflow',
    'guidance',
    'message',
    'parameters',
    'line',
    'source',
    'actionRecordId',
    'scopeId',
    'eventId',
    'messageId',
    'runbookRecordId',
    'loop',
    'numberOfCalls',
    'keyInput',
    'startedAt',
    'endedAt',
    'createdAt',
    'updatedAt',
  ],
  filterable: [
    'resultId',
    'status',
    'reason',
    'callflowName',
    'guidanceName',
    'line',
    'source',
    'scopeId',
    'eventId',
    'messageId',
    'loop',
    'numberOfCalls',
    'keyInput',
    'startedAt',
    'endedAt',
    'createdAt',
    'updatedAt',
  ],
  sortable: [
    'status',
    'callflowName',
    'guidanceName',
    'loop',
    'numberOfCalls',
    'startedAt',
    'endedAt',
    'createdAt',
    'updatedAt',
  ],
  time: 'createdAt',
  permission: 'pigeon:results',
});
