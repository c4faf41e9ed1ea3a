import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { actionRecord } from './action-record.ts';
import { reason } from './decision-log.ts';
import { runbookStepKinds } from './runbook.ts';

export const runbookRecordStatuses = ['requested', 'processing', 'succeeded', 'failed'] as const;
export const runbookStepStatuses = ['processing', 'succeeded', 'failed'] as const;
export const runbookRecordTones = {
  requested: 'neutral',
  processing: 'progress',
  succeeded: 'success',
  failed: 'danger',
} as const;

export const runbookRecord = defineResource({
  app: 'alerthub',
  name: 'runbook-record',
  noun: { en: ['runbook record', 'runbook records'], ja: 'ランブック記録' },
  path: '/api/apps/alerthub/runbook-records',
  screen: '/apps/alerthub/runbooks/:runbookId/runbook-records',
  id: 'runbookRecordId',
  shape: z.object({
    runbookRecordId: field.uuid(),
    runbookId: field.reference('runbook'),
    status: field.choice(runbookRecordStatuses, runbookRecordTones),
    origin: field.choice(['receiveSlot', 'trigger']),
    sourceMessageId: field.reference('message').nullable(),
    sourceScopeId: field.reference('scope').nullable(),
    triggerId: field.reference('trigger').nullable(),
    eventId: field.reference('event').nullable(),
    /** The record that this one was restarted from at its failed step. */
    rerunOf: field.reference('runbook-record').nullable(),
    /** Reason of the failure. */
    reason: field.withKind('json', reason).nullable(),
    requestedAt: field.dateTime(),
    startedAt: field.dateTime().nullable(),
    endedAt: field.dateTime().nullable(),
    updatedAt: field.dateTime(),
  }),
  verbs: ['list', 'show'],
  columns: ['requestedAt', 'status', 'runbookId', 'origin', 'sourceMessageId', 'sourceScopeId', 'endedAt'],
  detail: [
    'status',
    'runbookId',
    'origin',
    'sourceMessageId',
    'sourceScopeId',
    'triggerId',
    'eventId',
    'rerunOf',
    'requestedAt',
    'startedAt',
    'endedAt',
  ],
  defaultSort: '-requestedAt',
  time: 'requestedAt',
  permission: 'alerthub:runbook-records',
  calls: {
    /** The graph at the time the record was requested. */
    flow: { method: 'GET', path: '/flow', on: 'item', permission: 'get' },
    /** Creates a record that takes over the results of the previous steps and continues with this one. */
    rerun: {
      method: 'POST',
      path: '/rerun',
      on: 'item',
      permission: 'rerun',
      danger: true,
      body: z.object({ stepId: field.requiredText(80) }),
    },
  },
});

export const runbookRecordStep = defineResource({
  app: 'alerthub',
  name: 'runbook-record-step',
  noun: { en: ['runbook record step', 'runbook record steps'], ja: 'ランブック記録のステップ' },
  path: '/api/apps/alerthub/runbook-records/{runbookRecordId}/steps',
  itemPath: '/api/apps/alerthub/runbook-records/{runbookRecordId}/steps/{stepId}',
  id: 'stepId',
  parent: 'runbook-record',
  shape: z.object({
    /** The step's id in the graph; a repeated execution has `~` and its number appended. */
    stepId: field.text(80),
    seq: field.count(),
    flowStepId: field.text(64),
    kind: field.choice(runbookStepKinds),
    displayName: field.text(100),
    status: field.choice(runbookStepStatuses, runbookRecordTones),
    input: field.json(),
    output: field.json(),
    reason: field.withKind('json', reason).nullable(),
    actionRecordId: field.reference('action-record').nullable(),
    startedAt: field.dateTime(),
    endedAt: field.dateTime().nullable(),
  }),
  verbs: ['list', 'show'],
  columns: ['seq', 'status', 'displayName', 'kind', 'startedAt', 'endedAt'],
  detail: ['status', 'kind', 'flowStepId', 'actionRecordId', 'startedAt', 'endedAt', 'input', 'output'],
  defaultSort: 'seq',
  permission: 'alerthub:runbook-records',
  calls: {
    'action-record': {
      method: 'GET',
      path: '/action-record',
      on: 'item',
      permission: 'get',
      reply: actionRecord.shape,
    },
  },
});
